import { useState } from 'preact/hooks';
import type { SnapshotInfo } from '../../../model/operations/snapshots.ts';
import { momentText } from '../format.ts';
import { Icon } from '../icon.tsx';
import { Confirm } from '../records/dialogs.tsx';
import { change, controlAddress } from '../server/control.ts';
import { controlAuthorization } from '../server/session.ts';
import { toast } from '../toast.tsx';
import { Card } from './card.tsx';
import { bytesText, milliseconds, undoably, useWork, type Work } from './work.ts';

interface Properties {
  snapshots: readonly SnapshotInfo[];
  file: string | null;
  /** Whether there is anything to be done with them. */
  mayChange: boolean;
}

/** States that are kept, the newest first; those that were kept by themselves are folded away. */
export function Snapshots({ snapshots, file, mayChange }: Properties) {
  const work = useWork();
  const [name, setName] = useState('');
  const newest = [...snapshots].reverse();
  const [own, automatic] = [newest.filter((each) => !each.automatic), newest.filter((each) => each.automatic)];
  const taken = own.some((each) => each.name === name);
  const save = async (event: SubmitEvent) => {
    event.preventDefault();
    const saved = await work.run(() => change('saveSnapshot', { name, ...(taken && { replace: true }) }));
    if (saved) setName('');
  };
  const list = (shown: readonly SnapshotInfo[]) => (
    <ul class="things">
      {shown.map((snapshot) => (
        <Snapshot key={snapshot.name} snapshot={snapshot} file={file} mayChange={mayChange} work={work} />
      ))}
    </ul>
  );
  return (
    <Card title="Snapshots" failure={work.failure}>
      {mayChange && (
        <form class="buttons" onSubmit={save}>
          <input
            class="grow"
            type="text"
            aria-label="Name of the snapshot"
            placeholder="a-name"
            autocomplete="off"
            autocapitalize="none"
            spellcheck={false}
            required
            value={name}
            onInput={({ currentTarget }) => setName(currentTarget.value)}
          />
          <button type="submit" class="button" disabled={work.busy}>
            {taken ? 'Save over it' : 'Save'}
          </button>
        </form>
      )}
      {own.length > 0 && list(own)}
      {!own.length && <p class="quiet">{mayChange ? 'Keep the state as it is now under a name, to come back to it.' : 'There is none.'}</p>}
      {automatic.length > 0 && (
        <details>
          <summary>Kept before changes ({automatic.length})</summary>
          {list(automatic)}
        </details>
      )}
    </Card>
  );
}

function Snapshot({
  snapshot: { name, taken, bytes },
  file,
  mayChange,
  work,
}: Omit<Properties, 'snapshots'> & { snapshot: SnapshotInfo; work: Work }) {
  const [asking, setAsking] = useState(false);
  const restore = () =>
    work.run(() =>
      undoably('restoreSnapshot', file, async () => {
        const { took, undo } = await change('restoreSnapshot', { name });
        return { text: `${name} is back, in ${milliseconds(took)}.`, undo };
      }),
    );
  const erase = () => {
    setAsking(false);
    void work.run(async () => {
      await change('deleteSnapshot', { name });
      toast(`Deleted the snapshot ${name}.`);
    });
  };
  return (
    <li>
      <span class="grow">
        <b>{name}</b>
        <small>
          {momentText(taken)}, {bytesText(bytes)}
        </small>
      </span>
      {mayChange && (
        <>
          <button type="button" class="button small" disabled={work.busy} onClick={restore} aria-label={`Restore ${name}`}>
            Restore
          </button>
          {controlAuthorization() === undefined && (
            <a
              class="button small square"
              href={controlAddress('snapshotFile', name)}
              download={`${name}.db`}
              aria-label={`Download ${name}`}
            >
              <Icon name="download" />
            </a>
          )}
          <button type="button" class="button small square" onClick={() => setAsking(true)} aria-label={`Delete ${name}`}>
            <Icon name="close" />
          </button>
        </>
      )}
      {asking && (
        <Confirm
          title={`Delete the snapshot ${name}?`}
          text="What it keeps cannot be brought back afterwards."
          verb="Delete"
          onYes={erase}
          onNo={() => setAsking(false)}
        />
      )}
    </li>
  );
}
