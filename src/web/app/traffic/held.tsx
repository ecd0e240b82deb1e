import { useEffect, useState } from 'preact/hooks';
import type { FaultInfo } from '../../../model/operations/faults.ts';
import { Button } from '../controls.tsx';
import { countText } from '../format.ts';
import { callOperation } from '../server/control.ts';
import { useAction } from '../workbench/action.ts';
import { ErrorMessage } from '../workbench/card.tsx';
import type { ListedRequest } from './use-requests.ts';

interface HeldProperties {
  world?: string;
  /** The listed requests. */
  requests: readonly ListedRequest[];
  /** Number of arrivals and ends that are not listed yet. */
  reports: number;
}

/** The requests that faults of a world hold, with buttons to release them. */
export function HeldRequests({ world, requests, reports }: HeldProperties) {
  const [faults, setFaults] = useState<readonly FaultInfo[]>([]);
  const { isBusy, failure, run } = useAction();
  const isIdle = reports === 0 && !requests.some(({ took, isOld }) => took === null && !isOld);
  // biome-ignore lint/correctness/useExhaustiveDependencies: requests arrive and end while others are held.
  useEffect(() => {
    if (isIdle) {
      setFaults([]);
      return;
    }
    const controller = new AbortController();
    callOperation('faults', undefined, controller.signal, world).then(
      ({ value }) => setFaults(value.faults),
      () => {},
    );
    return () => controller.abort();
  }, [world, isIdle, requests, reports]);
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
