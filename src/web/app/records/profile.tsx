import type { ComponentChildren } from 'preact';
import { capitalized } from '../../../model/grammar.ts';
import type { OrganizerRecord, VenueRecord } from '../../../model/resources/record-types.ts';
import { filterDefinitions } from '../../definitions.ts';
import { noFilters, withFilter } from '../calendar/state.ts';
import { kinds } from '../forms/address.ts';
import { Main } from '../parts/controls.tsx';
import { Html, Picture } from '../parts/html.tsx';
import { statusText } from '../record.ts';
import { BackLink } from './actions.tsx';
import { Contacts, Fact, VenueAddress } from './facts.tsx';
import { UpcomingEvents } from './upcoming.tsx';
import './facts.css';
import './record.css';

interface Properties {
  kind: string;
  record: VenueRecord & OrganizerRecord;
  title: string;
  actions: ComponentChildren;
}

/** The page of a record that events link to, with its upcoming events. */
export function ProfileDetails({ kind, record, title, actions }: Properties) {
  const hasLocation = record.address || record.city || record.geo_lat !== undefined;
  const filter = filterDefinitions.find(({ links }) => links === kinds[kind])?.name;
  return (
    <Main class="record hue-none">
      <BackLink />
      <header class="record-header">
        <p class="record-badges">
          <span class="badge">{capitalized(kind)}</span>
          {record.status !== 'publish' && <span class="badge">{statusText(record)}</span>}
        </p>
        <h1 dir="auto">{title}</h1>
        {actions}
      </header>
      <div class="record-columns">
        <div class="record-texts">
          {record.image && <Picture image={record.image} alt="" />}
          {record.description && <Html html={record.description} />}
          {filter && (
            <UpcomingEvents
              isFirst
              title="Upcoming events"
              query={{ [filter]: record.id }}
              filters={withFilter(noFilters, filter, [String(record.id)])}
              emptyText="No upcoming events."
            />
          )}
        </div>
        <dl class="facts box">
          {hasLocation && (
            <Fact icon="place" name="Address">
              <VenueAddress venue={record} map />
            </Fact>
          )}
          <Contacts phone={record.phone} email={record.email} website={record.website} recordUrl={record.url} />
        </dl>
      </div>
    </Main>
  );
}
