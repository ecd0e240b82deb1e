import { useEffect, useRef, useState } from 'preact/hooks';
import { go } from '../address.ts';
import { context } from '../context.ts';
import { editAddress, kinds } from '../forms/address.ts';
import { RecordForm } from '../forms/form.tsx';
import { Icon } from '../icon.tsx';
import { Main } from '../main-part.tsx';
import { plain } from '../markup.ts';
import { Notice } from '../notice.tsx';
import type { CalendarEvent, Organizer, Post, Venue } from '../record.ts';
import { pathOf } from '../record.ts';
import { ApiError, addressOf, remove } from '../server/api.ts';
import { toast } from '../toast.tsx';
import { Confirm } from './dialogs.tsx';
import { EventDetails } from './event.tsx';
import { type RecordAddress, useRecord } from './load.ts';
import { PlaceDetails } from './place.tsx';
import { ProtectedEvent } from './unlock.tsx';

/** The page of one record, or the form that changes it. */
export function RecordPage({ at, address }: { at: RecordAddress; address: URL }) {
  const { value: found, error: failure, loading } = useRecord(at);
  const editing = address.searchParams.has('edit');
  // What somebody is writing stays, whatever becomes of the record.
  const written = useRef(found);
  if (found || !editing) written.current = found;
  const value = found ?? written.current;
  const error = value ? undefined : failure;
  const label = value?.record[at.kind === 'event' ? 'title' : at.kind];
  // The name of a venue that has a password is no text.
  const title = value && (typeof label === 'string' ? plain(label) : `A ${at.kind} with a password`);
  useEffect(() => {
    if (!editing && (title || error)) document.title = `${title ?? 'Not found'} – ${context.title}`;
  }, [title, error, editing]);
  if (error instanceof ApiError && error.code === 'event-password-protected') return <ProtectedEvent path={at.path} />;
  if (error) return <Missing kind={at.kind} error={error} />;
  if (!value) return <Main class="record" aria-busy={loading} />;
  const { record, mayChange, mayDelete } = value;
  if (editing && mayChange)
    return <RecordForm key={record.id} kind={at.kind} record={record} gone={isGone(failure)} parameters={address.searchParams} />;
  const actions = <Actions kind={at.kind} record={record} title={title!} mayChange={mayChange} mayDelete={mayDelete} />;
  if (at.kind === 'event') return <EventDetails event={record as CalendarEvent} actions={actions} />;
  return <PlaceDetails kind={at.kind} record={record as Venue & Organizer} title={title!} actions={actions} />;
}

const isGone = (error: Error | undefined): boolean => error instanceof ApiError && [400, 404, 410].includes(error.status);

function Missing({ kind, error }: { kind: string; error: Error }) {
  const gone = isGone(error);
  const barred = error instanceof ApiError && [401, 403].includes(error.status);
  return (
    <Main class="record">
      <h1 class="unseen">{gone ? 'Not found' : 'Not shown'}</h1>
      <Notice
        title={
          gone ? `There is no ${kind} at this address` : barred ? `This ${kind} is not for everybody` : `This ${kind} could not be loaded`
        }
      >
        <p>
          {gone ? 'It may have been deleted, or called something else.' : barred ? 'Sign in as somebody who may see it.' : error.message}
        </p>
        <a class="button main" href="/">
          To the calendar
        </a>
        <a class="button" href="/?view=list">
          What is on next
        </a>
      </Notice>
    </Main>
  );
}

interface ActionsProperties {
  kind: RecordAddress['kind'];
  record: Post;
  title: string;
  mayChange: boolean;
  mayDelete: boolean;
}

/** What can be done with a record. */
function Actions({ kind, record, title, mayChange, mayDelete }: ActionsProperties) {
  const [asking, setAsking] = useState(false);
  const path = `/${kinds[kind]}/${record.id}`;
  const erase = async () => {
    setAsking(false);
    try {
      await remove(kinds[kind], record.id);
      toast(`Deleted “${title}”.`);
      go('/');
    } catch (error) {
      toast(`That was not deleted: ${error instanceof Error ? error.message : String(error)}`);
    }
  };
  return (
    <div class="actions">
      {mayChange && (
        <a class="button main" href={editAddress(pathOf(record))}>
          Change
        </a>
      )}
      {kind === 'event' && <CalendarFile event={record} />}
      <a class="button" href={addressOf(path)}>
        JSON
      </a>
      {mayDelete && (
        <button type="button" class="button danger" onClick={() => setAsking(true)}>
          Delete
        </button>
      )}
      {asking && (
        <Confirm
          title={`Delete “${title}”?`}
          text="It leaves the calendar for everybody."
          verb="Delete"
          onYes={erase}
          onNo={() => setAsking(false)}
        />
      )}
    </div>
  );
}

/** One event as a file that other calendars read: the feed with this event alone. */
const CalendarFile = ({ event }: { event: Post }) => (
  <a class="button" href={`${context.feed}?include=${event.id}`} download={`${event.slug || event.id}.ics`}>
    <Icon name="download" />
    .ics
  </a>
);
