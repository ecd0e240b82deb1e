import type { ComponentProps } from 'preact';
import { context } from '../context.ts';
import { Button } from '../controls.tsx';
import { kinds } from '../forms/address.ts';
import type { CalendarEvent, Organizer, Post, Venue } from '../record.ts';
import { addressOf } from '../server/api.ts';
import { Actions } from './actions.tsx';
import type { RecordAddress } from './address.ts';
import { EventDetails } from './event.tsx';
import { ProfileDetails } from './profile.tsx';

export { ProtectedEvent } from './unlock.tsx';

type Properties = Pick<RecordAddress, 'kind'> & Pick<ComponentProps<typeof Actions>, 'record' | 'title' | 'canEdit' | 'canDelete'>;

/** A record with its actions. */
export function RecordDetails({ kind, record, title, canEdit, canDelete }: Properties) {
  const actions = (
    <Actions kind={kind} record={record} title={title} canEdit={canEdit} canDelete={canDelete}>
      {kind === 'event' && <DownloadLink event={record} />}
      <Button label="View JSON" href={addressOf(`/${kinds[kind]}/${record.id}`)} />
    </Actions>
  );
  if (kind === 'event') return <EventDetails event={record as CalendarEvent} actions={actions} />;
  return <ProfileDetails kind={kind} record={record as Venue & Organizer} title={title} actions={actions} />;
}

/** A link to download the event as an iCalendar file. */
const DownloadLink = ({ event }: { event: Post }) => (
  <Button icon="download" label="Download .ics" href={`${context.feed}?include=${event.id}`} download={`${event.slug || event.id}.ics`} />
);
