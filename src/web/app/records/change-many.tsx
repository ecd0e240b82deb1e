import { useEffect, useState } from 'preact/hooks';
import type { ChangesInput, ChangesProgress, RecordsChange, UnchangedRecord } from '../../../model/record-changes.ts';
import { pageChangesPath } from '../../../model/web-page.ts';
import { countText } from '../format.ts';
import { openDialog } from '../keys/dialogs.tsx';
import { Button } from '../parts/controls.tsx';
import { Modal } from '../parts/dialog.tsx';
import { toast } from '../parts/toast.tsx';
import { messageOf, send, splitStream } from '../server/api.ts';
import { announceChange } from '../server/changes.ts';
import { authorization } from '../server/session.ts';

/** The words for a change: `Delete` and `Deleted` with `3 events`. */
export interface ChangeText {
  verb: string;
  done: string;
  what(count: number): string;
  /** Another sentence of the question before it. */
  note?: string;
}

/** Number of records above which the page asks before it changes them, and shows the progress. */
const maxUnasked = 20;
/** Number of records that a message names. */
const maxNamed = 3;

type OnProgress = (progress: ChangesProgress) => void;

/** Sends changes. Returns the last progress, that before the cancellation if `signal` was aborted. */
async function sendChanges(input: ChangesInput, onProgress: OnProgress, signal: AbortSignal): Promise<ChangesProgress> {
  const response = await send('POST', pageChangesPath, { body: input, signal, authorization: authorization(), isRequest: true });
  let last: ChangesProgress = { done: 0, total: 0 };
  try {
    for await (const line of splitStream(response.body!, '\n')) {
      last = JSON.parse(line);
      onProgress(last);
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
  return last;
}

function unchangedText(unchanged: readonly UnchangedRecord[]): string {
  const names = unchanged.slice(0, maxNamed).map(({ name, id, message }) => `“${name || id}” (${message})`);
  const more = unchanged.length > maxNamed ? ` and ${countText(unchanged.length - maxNamed)} more` : '';
  return unchanged.length ? ` Not changed: ${names.join(', ')}${more}.` : '';
}

/** Runs changes and reports them with an Undo button. */
async function run(input: ChangesInput, text: ChangeText, onProgress: OnProgress, signal: AbortSignal): Promise<void> {
  try {
    const { done, total, undo, unchanged = [], stopped } = await sendChanges(input, onProgress, signal);
    const changed = done - unchanged.length;
    const counted = `${text.done} ${done < total ? `${countText(changed)} of ${text.what(total)}` : text.what(changed)}`;
    const report = `${counted}${stopped ? `: ${stopped}` : ''}.${unchangedText(unchanged)}`;
    if (!undo || !changed)
      return toast(
        changed || signal.aborted ? report : `Couldn’t ${text.verb.toLowerCase()} ${text.what(total)}.${unchangedText(unchanged)}`,
      );
    const undone = { verb: 'Undo', done: `Undone: ${text.done.toLowerCase()}`, what: text.what };
    toast(report, () => void start({ undo }, changed, undone));
  } catch (error) {
    toast(`Couldn’t ${text.verb.toLowerCase()} the records: ${messageOf(error)}`);
  } finally {
    announceChange();
  }
}

/** Runs changes; many of them in a dialog that shows the progress and cancels. Resolves with false if they were not confirmed. */
async function start(input: ChangesInput, count: number, text: ChangeText): Promise<boolean> {
  if (count <= maxUnasked) {
    await run(input, text, () => {}, new AbortController().signal);
    return true;
  }
  return new Promise((resolve) =>
    openDialog(({ onClose }) => (
      <ChangeDialog
        input={input}
        count={count}
        text={text}
        onClose={(isConfirmed) => {
          onClose();
          resolve(isConfirmed);
        }}
      />
    )),
  );
}

/** Changes many records, and offers to undo that. Resolves at the end, with false if the user did not confirm it. */
export const changeInBulk = (changes: readonly RecordsChange[], text: ChangeText): Promise<boolean> =>
  start(
    { changes },
    changes.reduce((sum, { ids }) => sum + ids.length, 0),
    text,
  );

interface Properties {
  input: ChangesInput;
  count: number;
  text: ChangeText;
  onClose(isConfirmed: boolean): void;
}

/** Asks before a change of many records, then shows its progress. Closing it cancels: what is done stays done. */
function ChangeDialog({ input, count, text, onClose }: Properties) {
  const [isConfirmed, setConfirmed] = useState('undo' in input);
  const [controller] = useState(() => new AbortController());
  const [progress, setProgress] = useState<ChangesProgress>({ done: 0, total: count });
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once.
  useEffect(() => {
    if (isConfirmed) void run(input, text, setProgress, controller.signal).then(() => onClose(true));
  }, [isConfirmed]);
  const what = text.what(count);
  const cancel = () => (isConfirmed ? controller.abort() : onClose(false));
  return (
    <Modal title={isConfirmed ? `${text.verb}: ${what}` : `${text.verb} ${what}?`} onClose={cancel}>
      {isConfirmed ? (
        <p>
          <progress value={progress.done} max={progress.total} aria-label={`${text.verb}: ${what}`} />{' '}
          <span role="status">
            {countText(progress.done)} of {countText(progress.total)}
          </span>
        </p>
      ) : (
        <p>{[text.note, 'You can undo this.'].filter(Boolean).join(' ')}</p>
      )}
      <p class="form-actions">
        {!isConfirmed && <Button label={text.verb} look="danger" onClick={() => setConfirmed(true)} />}
        <Button label="Cancel" onClick={cancel} />
      </p>
    </Modal>
  );
}
