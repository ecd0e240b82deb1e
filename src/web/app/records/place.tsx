import type { ComponentChildren } from 'preact';
import { Html } from '../html.tsx';
import { Main } from '../main-part.tsx';
import { Picture } from '../picture.tsx';
import type { Organizer, Venue } from '../record.ts';
import { Contacts, Fact, Place } from './facts.tsx';
import { Next } from './next.tsx';

interface Properties {
  kind: 'venue' | 'organizer';
  record: Venue & Organizer;
  title: string;
  actions: ComponentChildren;
}

/** Everything about a venue or an organizer, and what is on there. */
export function PlaceDetails({ kind, record, title, actions }: Properties) {
  const located = kind === 'venue' && (record.address || record.city || record.geo_lat !== undefined);
  return (
    <Main class="record hue-none">
      <p class="back">
        <a href="/">Calendar</a>
      </p>
      <header>
        <p class="badges">
          <span class="badge">{kind}</span>
          {record.status !== 'publish' && <span class="badge">{record.status}</span>}
        </p>
        <h1 dir="auto">{title}</h1>
        {actions}
      </header>
      <div class="columns">
        <div class="texts">
          {record.image && <Picture image={record.image} alt="" />}
          {record.description && <Html html={record.description} />}
          <Next
            title={kind === 'venue' ? 'What is on here' : 'What they do next'}
            query={{ [kind]: record.id }}
            filters={{ [kind]: [String(record.id)] }}
            empty="Nothing is announced."
          />
        </div>
        <dl class="facts">
          {located && (
            <Fact icon="place" name="Address">
              <Place venue={record} map />
            </Fact>
          )}
          <Contacts phone={record.phone} email={record.email} website={record.website} own={record.url} />
        </dl>
      </div>
    </Main>
  );
}
