import { useState } from 'preact/hooks';
import type { JournaledRequest } from '../../../model/operation-types.ts';
import type { EventRecord } from '../../../model/resources/record-types.ts';
import { useLoaded } from '../loading.ts';
import { callOperation } from '../server/control.ts';
import { canUseControl } from '../server/session.ts';
import { RequestLinks } from '../traffic/rows.tsx';
import './history.css';

/** True if a request created the event. Bodies are available only with access to the control API. */
function hasCreated({ response }: JournaledRequest, { id }: EventRecord): boolean {
  try {
    return JSON.parse(response?.body ?? '').id === id;
  } catch {
    return false;
  }
}

/** Loads the requests that created, read or changed an event, newest first. */
async function loadHistory(event: EventRecord, signal: AbortSignal): Promise<JournaledRequest[]> {
  const pathSuffixes = [String(event.id), `by-slug/${event.slug}`];
  const [all, creations] = await Promise.all([
    callOperation('requests', { path: '/events/*', brief: true }, signal),
    callOperation('requests', { path: '/events', method: 'POST', status: 201 }, signal),
  ]);
  const matching = all.value.requests.filter(({ path }) =>
    pathSuffixes.some((suffix) => path.replace(/\/$/, '').endsWith(`/events/${suffix}`)),
  );
  return [...matching, ...creations.value.requests.filter((request) => hasCreated(request, event))].sort((one, other) => other.id - one.id);
}

/** The recorded requests for an event. Renders nothing without access to the control API. */
export function History({ event }: { event: EventRecord }) {
  const [isOpen, setOpen] = useState(false);
  const { value, error } = useLoaded(isOpen ? `history ${event.id} ${event.slug}` : undefined, (signal) => loadHistory(event, signal));
  if (!canUseControl()) return null;
  return (
    <details class="history screen-only" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>Requests for this event</summary>
      {error && <p class="quiet">{error.message}</p>}
      {value?.length === 0 && <p class="quiet">No requests recorded.</p>}
      {value && value.length > 0 && <RequestLinks requests={value} />}
    </details>
  );
}
