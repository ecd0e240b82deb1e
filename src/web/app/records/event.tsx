import type { ComponentChildren } from 'preact';
import { useMemo } from 'preact/hooks';
import type { EventRecord } from '../../../model/resources/record-types.ts';
import { dayOf } from '../../../model/time/days.ts';
import { fromUtc } from '../../../model/time/time.ts';
import { useCategories } from '../calendar/events.ts';
import { whenText } from '../calendar/grid/chip.tsx';
import { type HueOf, huesOf } from '../calendar/hues.ts';
import { filteredAddress } from '../calendar/links.ts';
import { eventSpan } from '../calendar/span.ts';
import { noFilters, viewAddress, withFilter } from '../calendar/state.ts';
import { context, today } from '../context.ts';
import { viewerZone } from '../format.ts';
import { Main } from '../parts/controls.tsx';
import { LayerTitle } from '../parts/dialog.tsx';
import { Html, Picture, textOfHtml } from '../parts/html.tsx';
import { type ListedEvent, permalinkPath, statusText, type Term, venuesOf } from '../record.ts';
import { BackLink } from './actions.tsx';
import { Contacts, Fact, MoreFields, VenueAddress } from './facts.tsx';
import { History } from './history.tsx';
import { UpcomingEvents } from './upcoming.tsx';
import './facts.css';
import './record.css';

/** The times in the calendar's and the viewer's time zone, if they differ from the event's own. */
function timesInOtherZones(event: EventRecord): { zone: string; text: string }[] {
  if (event.all_day) return [];
  const seen = new Set([event.start_date]);
  return [context.timezone, viewerZone].flatMap((zone) => {
    const start = fromUtc(event.utc_start_date, zone);
    if (seen.has(start)) return [];
    seen.add(start);
    return [{ zone, text: whenText(eventSpan({ ...event, all_day: false, timezone: '' }, zone)) }];
  });
}

const monthOf = (event: EventRecord): string =>
  viewAddress({ view: 'month', day: dayOf(eventSpan(event, context.timezone).from), filters: noFilters }, today());

/** The page of an event. */
export function EventPage({ event, actions }: { event: EventRecord; actions: ComponentChildren }) {
  const categories = useCategories();
  const hueOf = useMemo(() => huesOf(categories.value ?? []), [categories.value]);
  const [venue] = venuesOf(event);
  return (
    <Main class={`record ${hueOf(event)}`}>
      <BackLink fallback={monthOf(event)} />
      <EventView event={event} record={event} hueOf={hueOf}>
        {actions}
      </EventView>
      {venue && (
        <UpcomingEvents
          title={`Upcoming at ${textOfHtml(venue.venue)}`}
          query={{ venue: venue.id }}
          excludedId={event.id}
          filters={withFilter(noFilters, 'venue', [String(venue.id)])}
        />
      )}
      <History event={event} />
    </Main>
  );
}

const maxExcerptLength = 280;
const shorten = (text: string) => (text.length > maxExcerptLength ? `${text.slice(0, maxExcerptLength).replace(/\s+\S*$/, '')}…` : text);

interface ViewProperties {
  event: ListedEvent;
  /** The complete event, once it is loaded. */
  record?: EventRecord;
  hueOf: HueOf;
  /** True for a short form over the calendar, in its time zone and without links. */
  isOverlay?: boolean;
  /** Shown in the header. */
  children?: ComponentChildren;
}

/** An event: everything about it on its page, or a short form over the calendar. */
export function EventView({ event, record, hueOf, isOverlay, children }: ViewProperties) {
  const short = isOverlay ? ' short' : '';
  const excerpt = record && isOverlay && shorten(textOfHtml(record.excerpt || record.description));
  return (
    <>
      <header class={`record-header${short}`}>
        <p class="record-badges">
          {event.status !== 'publish' && <span class="badge">{statusText(event)}</span>}
          {event.featured && <span class="badge">Featured</span>}
        </p>
        {isOverlay ? <LayerTitle dir="auto">{textOfHtml(event.title)}</LayerTitle> : <h1 dir="auto">{textOfHtml(event.title)}</h1>}
        <p class="record-when">
          {whenText(eventSpan(event, isOverlay ? context.timezone : event.timezone))}{' '}
          {record && !isOverlay && !event.all_day && <abbr title={event.timezone}>{record.timezone_abbr}</abbr>}
        </p>
        {record &&
          !isOverlay &&
          timesInOtherZones(record).map(({ zone, text }) => (
            <p class="quiet" key={zone}>
              In {zone}: {text}
            </p>
          ))}
        {children}
      </header>
      <div class={`record-columns${short}`}>
        {record && !isOverlay && (
          <div class="record-texts">
            {record.image && <Picture image={record.image} alt="" />}
            {record.description ? <Html html={record.description} /> : <p class="quiet">No description.</p>}
          </div>
        )}
        <EventFacts {...{ event, record, hueOf, isOverlay }} />
        {excerpt && <p class="record-excerpt">{excerpt}</p>}
      </div>
    </>
  );
}

function EventFacts({ event, record, hueOf, isOverlay }: ViewProperties) {
  return (
    <dl class={`facts ${isOverlay ? 'short' : 'box'}`}>
      {venuesOf(event).map((venue) => (
        <Fact icon="place" name="Venue" key={venue.id}>
          {isOverlay ? (
            <bdi>{[textOfHtml(venue.venue), textOfHtml(venue.city)].filter(Boolean).join(', ')}</bdi>
          ) : (
            <VenueAddress venue={venue} linked map={record?.show_map_link === true} />
          )}
        </Fact>
      ))}
      {record && record.organizer.length > 0 && (
        <Fact icon="person" name="Organizers">
          {record.organizer.map((organizer) => (
            <a class="facts-row" key={organizer.id} href={isOverlay ? undefined : permalinkPath(organizer)}>
              <bdi>{textOfHtml(organizer.organizer)}</bdi>
            </a>
          ))}
        </Fact>
      )}
      {event.cost && (
        <Fact icon="ticket" name="Cost">
          {textOfHtml(event.cost)}
        </Fact>
      )}
      {record && !isOverlay && <Contacts website={record.website} recordUrl={record.url} />}
      {record && <Terms event={record} hueOf={hueOf} isLinked={!isOverlay} />}
      {record && !isOverlay && <MoreFields resource="events" record={record} />}
    </dl>
  );
}

/** The categories and tags of an event. Each leads to the calendar view from which the event was opened, with the events of the term. */
function Terms({ event, hueOf, isLinked }: { event: EventRecord; hueOf: HueOf; isLinked: boolean }) {
  if (!event.categories.length && !event.tags.length) return null;
  const link = (name: 'categories' | 'tags', term: Term, hue = '') => (
    <li key={term.id}>
      <a class={`facts-term${hue && ` colored ${hue}`}`} href={isLinked ? filteredAddress(name, [term.slug], monthOf(event)) : undefined}>
        <bdi>{textOfHtml(term.name)}</bdi>
      </a>
    </li>
  );
  return (
    <Fact icon="tag" name="Categories and tags">
      <ul class="facts-terms">
        {event.categories.map((term) => link('categories', term, hueOf({ categories: [term] })))}
        {event.tags.map((term) => link('tags', term))}
      </ul>
    </Fact>
  );
}
