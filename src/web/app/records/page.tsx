import type { ComponentProps } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { capitalized } from '../../../model/grammar.ts';
import type { EventRecord, OrganizerRecord, VenueRecord } from '../../../model/resources/record-types.ts';
import { labels } from '../../definitions.ts';
import { returnAddress } from '../address.ts';
import { context } from '../context.ts';
import { kinds } from '../forms/address.ts';
import { EditRecord } from '../forms/form.tsx';
import { Button, ErrorText, Main, Notice, usePageTitle } from '../parts/controls.tsx';
import { textOfHtml } from '../parts/html.tsx';
import type { Post, RecordAddress } from '../record.ts';
import { ApiError, apiUrl, requestApi } from '../server/api.ts';
import { Actions, useRecord } from './actions.tsx';
import { EventPage } from './event.tsx';
import { ProfileDetails } from './profile.tsx';
import './record.css';

/** The page of a record, or its edit form. */
export function RecordPage({ recordAddress, address }: { recordAddress: RecordAddress; address: URL }) {
  const { value: loaded, error: loadError, loading } = useRecord(recordAddress);
  const { kind, path } = recordAddress;
  const isEditing = address.searchParams.has('edit');
  // The form stays open if the record is deleted or can't be reloaded.
  const previous = useRef(loaded);
  if (loaded || !isEditing) previous.current = loaded;
  const value = loaded ?? previous.current;
  const error = value ? undefined : loadError;
  const label = value?.record[labels[kinds[kind]!].label];
  // The name of a password-protected venue isn't a string.
  const title = value && (typeof label === 'string' ? textOfHtml(label) : `Password-protected ${kind}`);
  usePageTitle(isEditing ? undefined : (title ?? (error && 'Not found')));
  if (error instanceof ApiError && error.code === 'event-password-protected') return <ProtectedEvent path={path} />;
  if (error) return <LoadFailed kind={kind} error={error} />;
  if (!value) return <Main class="record" aria-busy={loading} />;
  const { record, canEdit } = value;
  if (isEditing && canEdit)
    return <EditRecord key={record.id} kind={kind} id={record.id} isDeleted={isNotFound(loadError)} parameters={address.searchParams} />;
  return <RecordDetails kind={kind} {...value} title={title!} />;
}

const isNotFound = (error: Error | undefined): boolean => error instanceof ApiError && [400, 404, 410].includes(error.status);

function LoadFailed({ kind, error }: { kind: string; error: Error }) {
  const notFound = isNotFound(error);
  const isForbidden = error instanceof ApiError && [401, 403].includes(error.status);
  return (
    <Main class="record">
      <h1 class="unseen">{notFound ? 'Not found' : 'Couldn’t load'}</h1>
      <Notice
        title={
          notFound
            ? `${capitalized(kind)} not found`
            : isForbidden
              ? `You don’t have permission to view this ${kind}`
              : `Couldn’t load this ${kind}`
        }
      >
        <p>
          {notFound ? 'It may have been deleted or renamed.' : isForbidden ? 'Sign in with an account that has access.' : error.message}
        </p>
        <Button label="Go to calendar" look="main" href={returnAddress()} />
        <Button label="Show upcoming events" href="/?view=list" />
      </Notice>
    </Main>
  );
}

type Properties = Pick<RecordAddress, 'kind'> & Pick<ComponentProps<typeof Actions>, 'record' | 'title' | 'canEdit' | 'canDelete'>;

/** A record with its actions. */
function RecordDetails({ kind, record, title, canEdit, canDelete }: Properties) {
  const actions = (
    <Actions kind={kind} record={record} title={title} canEdit={canEdit} canDelete={canDelete}>
      {kind === 'event' && <DownloadLink event={record} />}
      <Button label="View JSON" href={apiUrl(`/${kinds[kind]}/${record.id}`)} />
    </Actions>
  );
  if (kind === 'event') return <EventPage event={record as EventRecord} actions={actions} />;
  return <ProfileDetails kind={kind} record={record as VenueRecord & OrganizerRecord} title={title} actions={actions} />;
}

/** A link to download the event as an iCalendar file. */
const DownloadLink = ({ event }: { event: Post }) => (
  <Button icon="download" label="Download .ics" href={`${context.feed}?include=${event.id}`} download={`${event.slug || event.id}.ics`} />
);

/** The page of a password-protected event. Shows the event after the correct password was entered. */
function ProtectedEvent({ path }: { path: string }) {
  const [event, setEvent] = useState<EventRecord>();
  const [isWrong, setWrong] = useState(false);
  const submit = async (submitted: SubmitEvent) => {
    submitted.preventDefault();
    const password = String(new FormData(submitted.currentTarget as HTMLFormElement).get('password'));
    const { value } = await requestApi<EventRecord>('GET', `/events/${path}`, { query: { password } }).catch(() => ({
      value: undefined,
    }));
    setEvent(value);
    setWrong(!value);
  };
  if (event) return <EventPage event={event} actions={null} />;
  return (
    <Main class="record">
      <h1>This event is password-protected</h1>
      <form class="record-unlock" onSubmit={submit}>
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
