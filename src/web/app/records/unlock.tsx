import { useState } from 'preact/hooks';
import { Main } from '../main-part.tsx';
import type { CalendarEvent } from '../record.ts';
import { ask } from '../server/api.ts';
import { EventDetails } from './event.tsx';

/** An event that has a password: asks for it, and shows the event to who knows it. */
export function ProtectedEvent({ path }: { path: string }) {
  const [event, setEvent] = useState<CalendarEvent>();
  const [wrong, setWrong] = useState(false);
  const submit = async (submitted: SubmitEvent) => {
    submitted.preventDefault();
    const password = String(new FormData(submitted.currentTarget as HTMLFormElement).get('password'));
    const { value } = await ask<CalendarEvent>('GET', `/events/${path}`, { query: { password } }).catch(() => ({ value: undefined }));
    setEvent(value);
    setWrong(!value);
  };
  if (event) return <EventDetails event={event} actions={null} />;
  return (
    <Main class="record">
      <h1>This event has a password</h1>
      <form class="unlock" onSubmit={submit}>
        <div class="field">
          <label for="event-password">Password</label>
          <input id="event-password" name="password" type="password" autocomplete="off" aria-invalid={wrong || undefined} />
          {wrong && (
            <p class="error" role="alert">
              That is not the one.
            </p>
          )}
        </div>
        <button type="submit" class="button main">
          Open
        </button>
      </form>
    </Main>
  );
}
