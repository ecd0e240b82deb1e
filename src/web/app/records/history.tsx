import { useState } from 'preact/hooks';
import type { JournaledRequest } from '../../../model/operations/requests.ts';
import { useLoaded } from '../loading.ts';
import type { CalendarEvent } from '../record.ts';
import { control, isControlled } from '../server/control.ts';
import { RequestList } from '../workbench/request-list.tsx';

/** Whether a request that was answered made an event; only who may control the server is shown that. */
function made({ response }: JournaledRequest, { id }: CalendarEvent): boolean {
  try {
    return JSON.parse(response?.body ?? '').id === id;
  } catch {
    return false;
  }
}

/** The requests that made, read or changed an event, the newest first. */
async function historyOf(event: CalendarEvent, signal: AbortSignal): Promise<JournaledRequest[]> {
  const names = [String(event.id), `by-slug/${event.slug}`];
  const [all, creations] = await Promise.all([
    control('requests', { path: '/events/*', brief: true }, signal),
    control('requests', { path: '/events', method: 'POST', status: 201 }, signal),
  ]);
  const named = all.value.requests.filter(({ path }) => names.some((name) => path.replace(/\/$/, '').endsWith(`/events/${name}`)));
  return [...named, ...creations.value.requests.filter((request) => made(request, event))].sort((one, other) => other.id - one.id);
}

/** What was asked of the server about an event, as far as it is kept. Nothing where that is not told. */
export function History({ event }: { event: CalendarEvent }) {
  const [shown, setShown] = useState(false);
  const { value, error } = useLoaded(shown ? `history ${event.id} ${event.slug}` : undefined, (signal) => historyOf(event, signal));
  if (!isControlled()) return null;
  return (
    <details class="history" onToggle={({ currentTarget }) => setShown(currentTarget.open)}>
      <summary>Requests about this event</summary>
      {error && <p class="quiet">{error.message}</p>}
      {value?.length === 0 && <p class="quiet">None is kept.</p>}
      <RequestList requests={value ?? []} />
    </details>
  );
}
