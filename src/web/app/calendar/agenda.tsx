import type { Day } from '../../../model/time/days.ts';
import { today } from '../context.ts';
import { dayText, monthNear, shortDayText, timesText, timeText, weekdayText } from '../format.ts';
import { textOfHtml } from '../parts/html.tsx';
import { statusText, venuesOf } from '../record.ts';
import { type HueOf, isNotPublic } from './hues.ts';
import { useEventAddress } from './links.ts';
import type { EventSpan } from './span.ts';
import './agenda.css';

/** Groups spans by their first day. Events that started before `from` are grouped under `from`. */
function groupByDay(spans: readonly EventSpan[], from: Day): [Day, EventSpan[]][] {
  const days = new Map<Day, EventSpan[]>();
  for (const span of spans) {
    const day = span.first < from ? from : span.first;
    days.set(day, [...(days.get(day) ?? []), span]);
  }
  return [...days].sort(([one], [other]) => (one < other ? -1 : 1));
}

/** Formats the time of an event in the list of a day. */
function timeInList({ from, to, first, last, allDay }: EventSpan, day: Day): string {
  if (first === last) return allDay ? 'All day' : timesText(from, to);
  if (allDay || first < day) return `Until ${shortDayText(last)}`;
  return `${timeText(from)} to ${shortDayText(last)}`;
}

/** A list of events, grouped by day. */
export function Agenda({
  spans,
  from,
  hueOf,
  linkTo,
  isShort,
}: {
  spans: readonly EventSpan[];
  from: Day;
  hueOf: HueOf;
  linkTo(day: Day): string;
  /** True in a layer, which has one column. */
  isShort?: boolean;
}) {
  const now = today();
  return (
    <ol class={`agenda${isShort ? ' short' : ''}`}>
      {groupByDay(spans, from).map(([day, daySpans]) => (
        <li key={day} class={`agenda-day${isShort ? ' short' : ''}${day === now ? ' now' : ''}`}>
          <h2>
            <a class="agenda-date" href={linkTo(day)}>
              <span class="unseen">{dayText(day)}</span>
              <b aria-hidden="true">{Number(day.slice(8))}</b>
              <span aria-hidden="true">
                {weekdayText(day, 'short')}
                <small>{day === now ? 'Today' : monthNear(day, now)}</small>
              </span>
            </a>
          </h2>
          <ul>
            {daySpans.map((span) => (
              <AgendaItem key={span.event.id} span={span} day={day} hueOf={hueOf} isShort={isShort} />
            ))}
          </ul>
        </li>
      ))}
    </ol>
  );
}

interface ItemProperties {
  span: EventSpan;
  day: Day;
  hueOf: HueOf;
  /** Shows the date, for lists that aren't grouped by day. */
  dated?: boolean;
  isShort?: boolean;
  /** ID of a venue to omit, because the heading names it. */
  omittedVenue?: number;
}

/** An event on one line: time, title, venue and cost. */
export function AgendaItem({ span, day, hueOf, dated, isShort, omittedVenue }: ItemProperties) {
  const addressOf = useEventAddress();
  const { event } = span;
  const venues = venuesOf(event).filter(({ id }) => id !== omittedVenue);
  const venueTexts = venues.map(({ venue, city }) => [textOfHtml(venue), textOfHtml(city)].filter(Boolean).join(', '));
  return (
    <li>
      <a
        class={`agenda-line${dated ? ' dated' : ''}${isShort ? ' short' : ''} ${hueOf(event)}`}
        href={addressOf(event)}
        data-event={event.id}
      >
        <span class="agenda-time">
          {dated && <b>{shortDayText(span.first)}</b>} {timeInList(span, dated ? span.first : day)}
        </span>
        <span class="agenda-what">
          <bdi class="agenda-title">{textOfHtml(event.title)}</bdi>
          {isNotPublic(event) && <span class="badge">{statusText(event)}</span>}
          {event.featured && <span class="badge">Featured</span>}
          {venueTexts.length > 0 && <bdi class="agenda-place">{venueTexts.join(' · ')}</bdi>}
        </span>
        {event.cost && <span class="agenda-cost">{textOfHtml(event.cost)}</span>}
      </a>
    </li>
  );
}
