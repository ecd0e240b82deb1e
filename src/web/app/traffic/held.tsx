import { useEffect, useState } from 'preact/hooks';
import type { FaultInfo } from '../../../model/operations/faults.ts';
import { Button } from '../controls.tsx';
import { countText } from '../format.ts';
import { onChange } from '../server/changes.ts';
import { callOperation } from '../server/control.ts';
import { useAction } from '../workbench/action.ts';
import { ErrorMessage } from '../workbench/card.tsx';

/** Delays between two reads of the faults, with and without one that may hold requests. A request is logged only after its response. */
const [shortIntervalMs, intervalMs] = [500, 2000];

/** The requests that faults of a world hold, with buttons to release them. */
export function HeldRequests({ world }: { world?: string }) {
  const [faults, setFaults] = useState<readonly FaultInfo[]>([]);
  const { isBusy, failure, run } = useAction();
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isGone = false;
    const load = async () => {
      clearTimeout(timer);
      const all =
        document.visibilityState === 'visible'
          ? (await callOperation('faults', undefined, undefined, world).catch(() => undefined))?.value.faults
          : [];
      const holding = (all ?? []).filter(({ then }) => then === 'hold');
      if (isGone) return;
      setFaults(holding);
      timer = setTimeout(load, holding.length ? shortIntervalMs : intervalMs);
    };
    const reload = () => void load();
    reload();
    const stop = onChange(reload);
    return () => {
      isGone = true;
      clearTimeout(timer);
      stop();
    };
  }, [world]);
  const release = (id: number, status?: number) =>
    run(async () => {
      await callOperation('releaseFault', { id, ...(status && { response: { status } }) }, undefined, world);
      setFaults((before) => before.filter((fault) => fault.id !== id));
    });
  const holding = faults.filter((fault) => fault.held);
  if (!holding.length && !failure) return null;
  return (
    <section class="held-requests" aria-label="Held requests">
      {holding.map(({ id, held: count = 0, match }) => (
        <p key={id} role="status">
          <span class="grow">
            {countText(count)} {count === 1 ? 'request is' : 'requests are'} held:{' '}
            {[match.method, match.path ?? 'any path'].flat().filter(Boolean).join(' ')}
          </span>
          <Button label="Release" look="small" disabled={isBusy} onClick={() => release(id)} />
          <Button label="Fail with 503" look="small" disabled={isBusy} onClick={() => release(id, 503)} />
        </p>
      ))}
      {failure && <ErrorMessage error={failure} />}
    </section>
  );
}
