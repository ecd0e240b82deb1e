import type { Conflict } from '../../../model/operations/summary.ts';
import type { ConflictSide } from '../../../model/operations/sync.ts';
import { Button, Scrollable } from '../controls.tsx';
import { useLoaded } from '../loading.ts';
import { plain } from '../markup.ts';
import { callAndReload, callOperation } from '../server/control.ts';
import { controlAuthorization } from '../server/session.ts';
import { type CardAction, runWithUndo, useAction } from './action.ts';
import { Card } from './card.tsx';

const kinds: Record<Conflict['kind'], string> = {
  edited: 'Changed on both sides',
  'deleted-here': 'Deleted here, changed on the site',
  'deleted-there': 'Deleted on the site, changed here',
};

const choices: readonly (readonly [side: ConflictSide, text: string])[] = [
  ['ours', 'Keep local'],
  ['theirs', 'Take remote'],
];

interface Properties {
  file: string | null;
  canEdit: boolean;
}

/** The records that were changed differently here and on a copied site; nothing if there are none. */
export function Conflicts({ file, canEdit }: Properties) {
  const action = useAction();
  const { value: conflicts = [] } = useLoaded(`conflicts ${controlAuthorization() ?? ''}`, async (signal) => {
    const { value } = await callOperation('conflicts', undefined, signal);
    return value.conflicts;
  });
  if (!conflicts.length && !action.failure) return null;
  return (
    <Card title="Conflicts" failure={action.failure}>
      <ul class="things">
        {conflicts.map((conflict) => (
          <ConflictItem
            key={`${conflict.site} ${conflict.resource} ${conflict.remote}`}
            conflict={conflict}
            file={file}
            canEdit={canEdit}
            action={action}
          />
        ))}
      </ul>
    </Card>
  );
}

function ConflictItem({ conflict, file, canEdit, action }: Properties & { conflict: Conflict; action: CardAction }) {
  const { resource, id, site, kind, fields } = conflict;
  const name = plain(conflict.name) || `${resource} ${id}`;
  const resolve = (prefer: ConflictSide) =>
    void action.run(() =>
      runWithUndo('resolveConflicts', file, async () => {
        const { undo } = await callAndReload('resolveConflicts', { resource, id, prefer });
        return { text: prefer === 'ours' ? `Kept ${name}. The next push sends it.` : `Took ${name} from the site.`, undo };
      }),
    );
  const changedFields = Object.entries(fields);
  return (
    <li class="conflict">
      <span class="grow">
        <b dir="auto">{name}</b>
        <small>
          {kinds[kind]} · {resource} {id} · {site}
        </small>
      </span>
      {canEdit && (
        <span class="buttons">
          {choices.map(([side, text]) => (
            <Button
              key={side}
              label={text}
              look="small"
              disabled={action.isBusy}
              onClick={() => resolve(side)}
              aria-label={`${text} ${name}`}
            />
          ))}
        </span>
      )}
      {changedFields.length > 0 && (
        <Scrollable class="sides" label={`Fields of ${name}`}>
          <table>
            <thead>
              <tr>
                {['Field', 'Base', 'Local', 'Remote'].map((heading) => (
                  <th key={heading} scope="col">
                    {heading}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {changedFields.map(([field, { base, local, remote }]) => (
                <tr key={field}>
                  <th scope="row">{field}</th>
                  {[base, local, remote].map((value, at) => (
                    // biome-ignore lint/suspicious/noArrayIndexKey: the sides don't move.
                    <td key={at} dir="auto">
                      {valueText(value)}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </Scrollable>
      )}
    </li>
  );
}

/** Returns a text as it is, another value as JSON, and a dash for a missing one. */
const valueText = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? '—'));
