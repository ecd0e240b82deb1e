import { useState } from 'preact/hooks';
import type { OperationName } from '../../../model/operations/all.ts';
import type { Restored } from '../../../model/operations/snapshots.ts';
import { ApiError } from '../server/api.ts';
import { change } from '../server/control.ts';
import { toast } from '../toast.tsx';

/** Something that is done with the server: whether it is going on, and why the last time failed. */
export interface Work {
  busy: boolean;
  failure?: ApiError;
  /** Does it; what fails is kept as `failure`. Tells whether it was done. */
  run(work: () => Promise<unknown>): Promise<boolean>;
}

/** Work of one part of the page, one piece at a time. */
export function useWork(): Work {
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<ApiError>();
  const run = async (work: () => Promise<unknown>) => {
    setBusy(true);
    setFailure(undefined);
    try {
      await work();
      return true;
    } catch (error) {
      setFailure(error instanceof ApiError ? error : new ApiError(0, '', String(error)));
      return false;
    } finally {
      setBusy(false);
    }
  };
  return { busy, failure, run };
}

/** Does what changes everything, and offers to take it back. Of a calendar in memory nothing is kept by itself: `file` is null for one. */
export async function undoably(
  what: OperationName,
  file: string | null,
  work: () => Promise<{ undo?: string; text: string }>,
): Promise<void> {
  const name = file === null ? (await change('keepSnapshot', { what: what.toLowerCase() })).name : undefined;
  const { undo = name, text } = await work();
  toast(
    text,
    undo === undefined
      ? undefined
      : { label: 'Undo', run: () => void change('restoreSnapshot', { name: undo }).then(restored, (error: Error) => toast(error.message)) },
  );
}

const restored = ({ took }: Restored) => toast(`Taken back in ${milliseconds(took)}.`);

/** '1.4 ms' */
export const milliseconds = (took: number): string => `${took < 10 ? took.toFixed(1) : Math.round(took).toLocaleString()} ms`;

/** '1.2 MB' */
export function bytesText(bytes: number): string {
  const units = ['bytes', 'kB', 'MB', 'GB'];
  const power = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3));
  const value = bytes / 1000 ** power;
  return `${value < 10 && power > 0 ? value.toFixed(1) : Math.round(value)} ${units[power]}`;
}
