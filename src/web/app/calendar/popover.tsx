import { Button } from '../controls.tsx';
import { Floating } from '../floating.tsx';
import { plain } from '../markup.ts';
import { type CalendarEvent, type ListedEvent, pathOf, statusText, venuesOf } from '../record.ts';
import { Actions } from '../records/actions.tsx';
import { Fact } from '../records/facts.tsx';
import { useRecord } from '../records/load.ts';
import { whenText } from './chip.tsx';
import type { HueOf } from './hues.ts';
import { spanOf } from './span.ts';

interface Properties {
  id: number;
  /** The event as the view shows it, until the complete one is loaded. */
  listed?: ListedEvent;
  timezone: string;
  hueOf: HueOf;
  onClose(): void;
  /** Shows the next (1) or previous (-1) event of the view. */
  onStep(by: number): void;
}

const maxExcerptLength = 280;
const shorten = (text: string) => (text.length > maxExcerptLength ? `${text.slice(0, maxExcerptLength).replace(/\s+\S*$/, '')}…` : text);

/** An event over the calendar. Escape and a click beside it close it; arrow keys show the next event. */
export function EventPopover({ id, listed, timezone, hueOf, onClose, onStep }: Properties) {
  const { value, error, loading } = useRecord({ kind: 'event', path: String(id) });
  const record = value?.record as CalendarEvent | undefined;
  const event = record ?? listed;
  const title = event && plain(event.title);
  const onKeyDown = (key: KeyboardEvent) => {
    const by = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[key.key];
    if (!by || key.altKey || key.ctrlKey || key.metaKey) return;
    key.preventDefault();
    onStep(by);
  };
  return (
    <Floating
      label={title ?? 'Event'}
      class={event ? hueOf(event) : ''}
      busy={loading}
      anchor={() => document.querySelector(`.view [data-event="${id}"]`)}
      onClose={onClose}
      onKeyDown={onKeyDown}
    >
      <h2 dir="auto">{title ?? (error ? 'Event not found' : 'Event')}</h2>
      {event && <EventFacts event={event} record={record} timezone={timezone} hueOf={hueOf} />}
      {error && !event && <p class="quiet">{error.message}</p>}
      {record && value && (
        <Actions kind="event" record={record} title={title!} canEdit={value.canEdit} canDelete={value.canDelete} onDeleted={onClose}>
          <Button label="Open page" href={pathOf(record)} />
        </Actions>
      )}
    </Floating>
  );
}

interface FactsProperties extends Pick<Properties, 'timezone' | 'hueOf'> {
  event: ListedEvent;
  record?: CalendarEvent;
}

function EventFacts({ event, record, timezone, hueOf }: FactsProperties) {
  const venues = venuesOf(event);
  const excerpt = record && shorten(plain(record.excerpt || record.description));
  const terms = record ? [...record.categories, ...record.tags] : [];
  return (
    <>
      {(event.status !== 'publish' || event.featured) && (
        <p class="badges">
          {event.status !== 'publish' && <span class="badge">{statusText(event)}</span>}
          {event.featured && <span class="badge">Featured</span>}
        </p>
      )}
      <dl class="facts">
        <Fact icon="clock" name="Time">
          {whenText(spanOf(event, timezone))}
        </Fact>
        {venues.map((venue) => (
          <Fact icon="place" name="Venue" key={venue.id}>
            <bdi>{[plain(venue.venue), plain(venue.city)].filter(Boolean).join(', ')}</bdi>
          </Fact>
        ))}
        {record && record.organizer.length > 0 && (
          <Fact icon="person" name="Organizers">
            {record.organizer.map(({ organizer }) => plain(organizer)).join(', ')}
          </Fact>
        )}
        {event.cost && (
          <Fact icon="ticket" name="Cost">
            {plain(event.cost)}
          </Fact>
        )}
        {terms.length > 0 && (
          <Fact icon="tag" name="Categories and tags">
            <ul class="terms">
              {terms.map((term) => (
                <li key={term.id}>
                  <span class={`term ${record!.categories.includes(term) ? hueOf({ categories: [term] }) : ''}`}>
                    <bdi>{plain(term.name)}</bdi>
                  </span>
                </li>
              ))}
            </ul>
          </Fact>
        )}
      </dl>
      {excerpt && <p class="excerpt">{excerpt}</p>}
    </>
  );
}
