import { useEffect } from 'preact/hooks';
import { formatFaultLine } from '../../../model/operations/fault-line.ts';
import type { FaultInfo } from '../../../model/operations/faults.ts';
import { Button } from '../controls.tsx';
import { countText } from '../format.ts';
import { callAndReload } from '../server/control.ts';
import { onServerEvent } from '../server/stream.ts';
import { useAction } from './action.ts';
import { Card } from './card.tsx';
import { FaultLine } from './fault-line.tsx';

/** Describes how often a fault was used: '1 hit, 2 remaining'. */
const hitsText = ({ hits, remaining }: FaultInfo): string =>
  [`${countText(hits)} ${hits === 1 ? 'hit' : 'hits'}`, remaining !== null && `${countText(remaining)} remaining`]
    .filter(Boolean)
    .join(', ');

/** Delay between a request and the reload of the number of hits. */
const reloadDelayMs = 500;

interface Properties {
  faults: readonly FaultInfo[];
  canEdit: boolean;
  /** Reloads the faults. Hits don't change records and so don't trigger a reload. */
  reload(): void;
}

/** The injected faults, and a line to add one. */
export function Faults({ faults, canEdit, reload }: Properties) {
  const { isBusy, failure, run } = useAction();
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const stop = onServerEvent('request', () => {
      if (faults.length) timer ??= setTimeout(reload, reloadDelayMs);
    });
    return () => {
      clearTimeout(timer);
      stop();
    };
  }, [faults, reload]);
  return (
    <Card
      title="Faults"
      failure={failure}
      aside={
        canEdit &&
        faults.length > 0 && (
          <Button label="Remove all" look="small" disabled={isBusy} onClick={() => run(() => callAndReload('clearFaults'))} />
        )
      }
    >
      {canEdit && <FaultLine />}
      {faults.length > 0 && (
        <ul class="things">
          {faults.map((fault) => (
            <li key={fault.id}>
              <span class="grow">
                <code>{formatFaultLine(fault)}</code>
                <small>{hitsText(fault)}</small>
              </span>
              {canEdit && (
                <Button
                  icon="close"
                  look="small square"
                  disabled={isBusy}
                  onClick={() => run(() => callAndReload('removeFault', { id: fault.id }))}
                  aria-label={`Remove fault: ${formatFaultLine(fault)}`}
                />
              )}
            </li>
          ))}
        </ul>
      )}
      {!faults.length && <p class="quiet">{canEdit ? 'No faults. Add one to delay, break or drop responses.' : 'No faults.'}</p>}
    </Card>
  );
}
