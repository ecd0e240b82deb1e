import { useState } from 'preact/hooks';
import type { SnapshotInfo } from '../../../model/operation-types.ts';
import { momentText } from '../format.ts';
import { Button } from '../parts/controls.tsx';
import { Confirm } from '../parts/dialog.tsx';
import { toast } from '../parts/toast.tsx';
import { callAndReload, controlAddress } from '../server/control.ts';
import { controlAuthorization } from '../server/session.ts';
import { bytesText, Card, type CardAction, durationText, runWithUndo, useAction } from './action.tsx';
import './card.css';

interface Properties {
  snapshots: readonly SnapshotInfo[];
  file: string | null;
  canEdit: boolean;
}

/** A name in the form that snapshots have: `Before test` becomes `before-test`. */
const toSnapshotName = (text: string): string =>
  text
    .trim()
    .toLowerCase()
    .replace(/[^a-z0-9._]+/g, '-')
    .replace(/^[^a-z0-9]+|-$/g, '')
    .slice(0, 64);

/** The snapshots, newest first. Automatic ones are collapsed. */
export function Snapshots({ snapshots, file, canEdit }: Properties) {
  const action = useAction();
  const [name, setName] = useState('');
  const newest = [...snapshots].reverse();
  const [manual, automatic] = [newest.filter((each) => !each.automatic), newest.filter((each) => each.automatic)];
  const ownName = toSnapshotName(name);
  const nameExists = manual.some((each) => each.name === ownName);
  const save = async (event: SubmitEvent) => {
    event.preventDefault();
    const saved = await action.run(() => callAndReload('saveSnapshot', { name: ownName, ...(nameExists && { replace: true }) }));
    if (!saved) return;
    toast(`Saved snapshot ${ownName}.`);
    setName('');
  };
  const renderList = (listed: readonly SnapshotInfo[]) => (
    <ul>
      {listed.map((snapshot) => (
        <Snapshot key={snapshot.name} snapshot={snapshot} file={file} canEdit={canEdit} action={action} />
      ))}
    </ul>
  );
  return (
    <Card title="Snapshots" failure={action.failure}>
      {canEdit && (
        <form class="buttons" onSubmit={save}>
          <input
            class="grow"
            type="text"
            aria-label="Snapshot name"
            placeholder="before the tests"
            autocomplete="off"
            autocapitalize="none"
            spellcheck={false}
            required
            value={name}
            onInput={({ currentTarget }) => setName(currentTarget.value)}
          />
          <Button label={nameExists ? 'Overwrite' : 'Save'} type="submit" disabled={action.isBusy} />
        </form>
      )}
      {manual.length > 0 && renderList(manual)}
      {!manual.length && <p class="quiet">{canEdit ? 'No snapshots. Save one to restore the current state later.' : 'No snapshots.'}</p>}
      {automatic.length > 0 && (
        <details>
          <summary>Automatic ({automatic.length})</summary>
          {renderList(automatic)}
        </details>
      )}
    </Card>
  );
}

function Snapshot({
  snapshot: { name, taken, bytes },
  file,
  canEdit,
  action,
}: Omit<Properties, 'snapshots'> & { snapshot: SnapshotInfo; action: CardAction }) {
  const [isConfirming, setConfirming] = useState(false);
  const restore = () =>
    action.run(() =>
      runWithUndo('restoreSnapshot', file, async () => {
        const { took, undo } = await callAndReload('restoreSnapshot', { name });
        return { text: `Restored snapshot ${name} in ${durationText(took)}.`, undo };
      }),
    );
  const deleteSnapshot = () => {
    setConfirming(false);
    void action.run(async () => {
      await callAndReload('deleteSnapshot', { name });
      toast(`Deleted snapshot ${name}.`);
    });
  };
  return (
    <li class="card-item">
      <span class="grow">
        <b>{name}</b>
        <small>
          {momentText(taken)}, {bytesText(bytes)}
        </small>
      </span>
      {canEdit && (
        <>
          <Button label="Restore" look="small" disabled={action.isBusy} onClick={restore} aria-label={`Restore ${name}`} />
          {controlAuthorization() === undefined && (
            <Button
              icon="download"
              look="small square"
              href={controlAddress('snapshotFile', name)}
              download={`${name}.db`}
              aria-label={`Download ${name}`}
            />
          )}
          <Button icon="close" look="small square" onClick={() => setConfirming(true)} aria-label={`Delete ${name}`} />
        </>
      )}
      {isConfirming && (
        <Confirm
          title={`Delete snapshot ${name}?`}
          text="You can’t undo this."
          verb="Delete"
          onConfirm={deleteSnapshot}
          onCancel={() => setConfirming(false)}
        />
      )}
    </li>
  );
}
