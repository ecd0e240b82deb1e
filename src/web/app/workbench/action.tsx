import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { capitalized } from '../../../model/grammar.ts';
import { countText } from '../format.ts';
import { toast } from '../parts/toast.tsx';
import { ApiError } from '../server/api.ts';
import { callAndReload } from '../server/control.ts';
import './card.css';

/** The state of the actions of one card. */
export interface CardAction {
  isBusy: boolean;
  /** Error of the last action. */
  failure?: ApiError;
  /** Runs an action. Returns whether it succeeded. */
  run(action: () => Promise<unknown>): Promise<boolean>;
}

export function useAction(): CardAction {
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<ApiError>();
  const run = async (action: () => Promise<unknown>) => {
    setBusy(true);
    setFailure(undefined);
    try {
      await action();
      return true;
    } catch (error) {
      setFailure(error instanceof ApiError ? error : new ApiError(0, '', String(error)));
      return false;
    } finally {
      setBusy(false);
    }
  };
  return { isBusy, failure, run };
}

/**
 * Runs a destructive operation and shows a toast with an Undo button. Saves a snapshot first if the calendar is in memory (`file` is
 * null); the operation saves one itself otherwise.
 */
export async function runWithUndo(what: string, file: string | null, run: () => Promise<{ undo?: string; text: string }>): Promise<void> {
  const saved = file === null ? (await callAndReload('keepSnapshot', { what: what.toLowerCase() })).name : undefined;
  const { undo: name = saved, text } = await run();
  if (name === undefined) return toast(text);
  const undo = () =>
    void callAndReload('restoreSnapshot', { name }).then(
      () => toast(`Undone: ${text}`),
      (error: Error) => toast(error.message),
    );
  toast(text, undo);
}

/** '1.4 ms' */
export const durationText = (durationMs: number): string =>
  `${durationMs < 10 ? durationMs.toFixed(1) : countText(Math.round(durationMs))} ms`;

/** '1.2 MB' */
export function bytesText(bytes: number): string {
  const units = ['bytes', 'kB', 'MB', 'GB'];
  const power = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3));
  const value = bytes / 1000 ** power;
  return `${value < 10 && power > 0 ? value.toFixed(1) : Math.round(value)} ${units[power]}`;
}

interface Properties {
  title: string;
  /** Shown next to the title. */
  aside?: ComponentChildren;
  failure?: ApiError;
  children: ComponentChildren;
}

/** A card of the workbench, with the error of its last action. */
export function Card({ title, aside, failure, children }: Properties) {
  const id = `card-${title.toLowerCase()}`;
  return (
    <section class="card box" aria-labelledby={id}>
      <div class="card-head buttons">
        <h2 id={id}>{title}</h2>
        {aside}
      </div>
      {children}
      {failure && <ErrorMessage error={failure} />}
    </section>
  );
}

/** The messages and the hint of an error response. */
export const ErrorMessage = ({ error }: { error: ApiError }) => (
  <p class="error" role="alert">
    {toSentence(
      Object.entries(error.fields)
        .map(([name, message]) => `${name} ${message}`)
        .join('; ') || error.message,
    )}{' '}
    {error.hint}
  </p>
);

/** A text as a sentence. Names such as `program.csv` and `start_date` stay. */
const toSentence = (text: string) => `${/^[a-z]+(?=[\s,;]|$)/.test(text) ? capitalized(text) : text}${/[.!?]$/.test(text) ? '' : '.'}`;
