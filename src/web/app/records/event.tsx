import type { ComponentChildren } from 'preact';
import { useMemo } from 'preact/hooks';
import { whenText } from '../calendar/chip.tsx';
import { useCategories } from '../calendar/events.ts';
import { filteredAddress } from '../calendar/filtered.ts';
import { huesOf } from '../calendar/hues.ts';
import { spanOf } from '../calendar/span.ts';
import { addressOf, noFilters, withFilter } from '../calendar/state.ts';
import { context, today } from '../context.ts';
import { dayOf, fromUtc } from '../days.ts';
import { Main } from '../landmark.tsx';
import { plain } from '../markup.ts';
import { Picture } from '../picture.tsx';
import { type CalendarEvent, pathOf, statusText, type Term, venuesOf } from '../record.ts';
import { Html } from '../rich-text.tsx';
import { BackLink } from './actions.tsx';
import { Contacts, Fact, VenueAddress } from './facts.tsx';
import { History } from './history.tsx';
import { MoreFields } from './more.tsx';
import { UpcomingEvents } from './upcoming.tsx';

const viewerZone = Intl.DateTimeFormat().resolvedOptions().timeZone;

/** Returns the times in the calendar's and the viewer's time zone, if they differ from the event's own. */
function timesInOtherZones(event: CalendarEvent): { zone: string; text: string }[] {
  if (event.all_day) return [];
  const seen = new Set([event.start_date]);
  return [context.timezone, viewerZone].flatMap((zone) => {
    const start = fromUtc(event.utc_start_date, zone);
    if (seen.has(start)) return [];
    seen.add(start);
    return [{ zone, text: whenText(spanOf({ ...event, all_day: false, timezone: '' }, zone)) }];
  });
}

/** The page of an event. */
export function EventDetails({ event, actions }: { event: CalendarEvent; actions: ComponentChildren }) {
  const categories = useCategories();
  const hueOf = useMemo(() => huesOf(categories.value ?? []), [categories.value]);
  const span = spanOf(event, event.timezone);
  const title = plain(event.title);
  const venues = venuesOf(event);
  const fallback = addressOf({ view: 'month', day: dayOf(spanOf(event, context.timezone).from), filters: noFilters }, today());
  return (
    <Main class={`record ${hueOf(event)}`}>
      <BackLink fallback={fallback} />
      <header>
        <p class="badges">
          {event.status !== 'publish' && <span class="badge">{statusText(event)}</span>}
          {event.featured && <span class="badge">Featured</span>}
        </p>
        <h1 dir="auto">{title}</h1>
        <p class="when">
          {whenText(span)}
          {!event.all_day && (
            <>
              {' '}
              <abbr title={event.timezone}>{event.timezone_abbr}</abbr>
            </>
          )}
        </p>
        {timesInOtherZones(event).map(({ zone, text }) => (
          <p class="quiet" key={zone}>
            In {zone}: {text}
          </p>
        ))}
        {actions}
      </header>
      <div class="columns">
        <div class="texts">
          {event.image && <Picture image={event.image} alt="" />}
          {event.description ? <Html html={event.description} /> : <p class="quiet">No description.</p>}
        </div>
        <dl class="facts">
          {venues.map((venue) => (
            <Fact icon="place" name="Venue" key={venue.id}>
              <VenueAddress venue={venue} linked map={event.show_map_link === true} />
            </Fact>
          ))}
          {event.organizer.length > 0 && (
            <Fact icon="person" name="Organizers">
              {event.organizer.map((organizer) => (
                <a class="row" key={organizer.id} href={pathOf(organizer)}>
                  <bdi>{plain(organizer.organizer)}</bdi>
                </a>
              ))}
            </Fact>
          )}
          {event.cost && (
            <Fact icon="ticket" name="Cost">
              {plain(event.cost)}
            </Fact>
          )}
          <Contacts website={event.website} recordUrl={event.url} />
          <Terms categories={event.categories} tags={event.tags} hueOf={hueOf} fallback={fallback} />
          <MoreFields resource="events" record={event} />
        </dl>
      </div>
      {venues[0] && (
        <UpcomingEvents
          title={`Upcoming at ${plain(venues[0].venue)}`}
          query={{ venue: venues[0].id }}
          excludedId={event.id}
          filters={withFilter(noFilters, 'venue', [String(venues[0].id)])}
        />
      )}
      <History event={event} />
    </Main>
  );
}

interface TermsProperties {
  categories: Term[];
  tags: Term[];
  hueOf: ReturnType<typeof huesOf>;
  fallback: string;
}

/** The categories and tags of an event. Each leads to the calendar view from which the event was opened, with the events of the term. */
function Terms({ categories, tags, hueOf, fallback }: TermsProperties) {
  if (!categories.length && !tags.length) return null;
  const addressFor = (name: 'categories' | 'tags', { slug }: Term) => filteredAddress(name, [slug], fallback);
  return (
    <Fact icon="tag" name="Categories and tags">
      <ul class="terms">
        {categories.map((term) => (
          <li key={term.id}>
            <a class={`term ${hueOf({ categories: [term] })}`} href={addressFor('categories', term)}>
              <bdi>{plain(term.name)}</bdi>
            </a>
          </li>
        ))}
        {tags.map((term) => (
          <li key={term.id}>
            <a class="term" href={addressFor('tags', term)}>
              <bdi>{plain(term.name)}</bdi>
            </a>
          </li>
        ))}
      </ul>
    </Fact>
  );
}
