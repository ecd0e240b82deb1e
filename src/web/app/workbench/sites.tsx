import { choiceOf, choicesOf, conflictKinds } from '../../../model/conflict-choices.ts';
import { capitalized } from '../../../model/grammar.ts';
import type { Conflict } from '../../../model/operation-types.ts';
import { useLoaded } from '../loading.ts';
import { Button } from '../parts/controls.tsx';
import { callAndReload, callOperation } from '../server/control.ts';
import { controlAuthorization } from '../server/session.ts';
import { Card, runWithUndo, useAction } from './action.tsx';
import './card.css';
import './workbench.css';

interface Properties {
  file: string | null;
}

/** Says of each copied site whether the calendar is in step with it, and lists the conflicts. */
export function Sites({ file }: Properties) {
  const { value } = useLoaded(`sites ${controlAuthorization() ?? ''}`, async (signal) => ({
    ...(await callOperation('sites', undefined, signal)).value,
    ...(await callOperation('conflicts', undefined, signal)).value,
  }));
  return (
    <>
      {value?.sites.map(({ site, text }) => (
        <p key={site} class="message" role="status">
          {text}
        </p>
      ))}
      {value?.conflicts.length ? (
        <div class="workbench-conflicts">
          <Conflicts conflicts={value.conflicts} file={file} />
        </div>
      ) : null}
    </>
  );
}

const maxValueLength = 120;

/** The values of a conflict on one side; long ones end with an ellipsis. */
function valuesText({ fields }: Conflict, choice: string, side: 'local' | 'remote'): string {
  const text = Object.entries(fields)
    .flatMap(([name, { [side]: value }]) => (choiceOf(name) === choice ? [typeof value === 'string' ? value : JSON.stringify(value)] : []))
    .join(', ');
  return text.length > maxValueLength ? `${text.slice(0, maxValueLength)}…` : text;
}

/** The conflicts, with two buttons for each field. One of a record without fields is resolved as a whole. */
function Conflicts({ conflicts, file }: Properties & { conflicts: readonly Conflict[] }) {
  const { isBusy, failure, run } = useAction();
  return (
    <Card title="Conflicts" failure={failure} aside={<small>Ours is this calendar, theirs is the site.</small>}>
      {conflicts.map((conflict) => {
        const { resource, id, name, kind } = conflict;
        const choices = choicesOf(conflict);
        return (
          <ul key={`${resource} ${id} ${kind}`}>
            <li>
              <b>{name}</b> <small>{conflictKinds[kind]}</small>
            </li>
            {(choices.length ? choices : ['all']).map((choice) => (
              <li key={choice} class="card-item">
                <span class="grow">{choice}</span>
                {(['ours', 'theirs'] as const).map((side) => (
                  <span key={side} class="grow">
                    <Button
                      label={capitalized(side)}
                      look="small"
                      disabled={isBusy}
                      onClick={() =>
                        run(() =>
                          runWithUndo('resolve', file, async () => {
                            const what = choices.length ? { fields: { [side]: [choice] } } : { prefer: side };
                            const { undo, conflicts: [left] = [] } = await callAndReload('resolveConflicts', { resource, id, ...what });
                            const remaining = left ? ` Still a conflict: ${choicesOf(left).join(', ')}.` : '';
                            return { text: `Resolved ${choice} of ${name}.${remaining}`, undo };
                          }),
                        )
                      }
                      aria-label={`${capitalized(side)}: ${choice} of ${name}`}
                    />{' '}
                    {valuesText(conflict, choice, side === 'ours' ? 'local' : 'remote')}
                  </span>
                ))}
              </li>
            ))}
          </ul>
        );
      })}
    </Card>
  );
}
