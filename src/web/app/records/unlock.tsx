import { useState } from 'preact/hooks';
import { Button, ErrorText } from '../controls.tsx';
import { Main } from '../landmark.tsx';
import type { CalendarEvent } from '../record.ts';
import { requestApi } from '../server/api.ts';
import { EventDetails } from './event.tsx';

/** The page of a password-protected event. Shows the event after the correct password was entered. */
export function ProtectedEvent({ path }: { path: string }) {
  const [event, setEvent] = useState<CalendarEvent>();
  const [isWrong, setWrong] = useState(false);
  const submit = async (submitted: SubmitEvent) => {
    submitted.preventDefault();
    const password = String(new FormData(submitted.currentTarget as HTMLFormElement).get('password'));
    const { value } = await requestApi<CalendarEvent>('GET', `/events/${path}`, { query: { password } }).catch(() => ({
      value: undefined,
    }));
    setEvent(value);
    setWrong(!value);
  };
  if (event) return <EventDetails event={event} actions={null} />;
  return (
    <Main class="record">
      <h1>This event is password-protected</h1>
      <form class="unlock" onSubmit={submit}>
        <div class="field">
          <label for="event-password">Password</label>
          <input id="event-password" name="password" type="password" autocomplete="off" aria-invalid={isWrong || undefined} />
          <ErrorText text={isWrong ? 'Incorrect password.' : ''} />
        </div>
        <Button label="View event" look="main" type="submit" />
      </form>
    </Main>
  );
}
