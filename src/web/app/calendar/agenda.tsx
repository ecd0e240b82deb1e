import { today } from '../context.ts';
import type { CalendarDay } from '../days.ts';
import { dayText, monthNear, shortDayText, timesText, timeText, weekdayText } from '../format.ts';
import { plain } from '../markup.ts';
import { pathOf, venuesOf } from '../record.ts';
import { type HueOf, isHidden } from './hues.ts';
import type { EventSpan } from './span.ts';

/** Spans by the day on which they stand in a list that begins on `from`: their first, or that one for what goes on already. */
function byDay(spans: readonly EventSpan[], from: CalendarDay): [CalendarDay, EventSpan[]][] {
  const days = new Map<CalendarDay, EventSpan[]>();
  for (const span of spans) {
    const day = span.first < from ? from : span.first;
    days.set(day, [...(days.get(day) ?? []), span]);
  }
  return [...days].sort(([one], [other]) => (one < other ? -1 : 1));
}

/** When an event is on, in a list of the day that it stands under. */
function timeOf({ from, to, first, last, allDay }: EventSpan, day: CalendarDay): string {
  if (first === last) return allDay ? 'all day' : timesText(from, to);
  if (first < day) return `until ${shortDayText(last)}`;
  return allDay ? `to ${shortDayText(last)}` : `${timeText(from)} to ${shortDayText(last)}`;
}

/** Events one under the other, by day. */
export function Agenda({
  spans,
  from,
  hueOf,
  linkTo,
}: {
  spans: readonly EventSpan[];
  from: CalendarDay;
  hueOf: HueOf;
  linkTo(day: CalendarDay): string;
}) {
  const now = today();
  return (
    <ol class="agenda">
      {byDay(spans, from).map(([day, ofDay]) => (
        <li key={day} class={day === now ? 'now' : ''}>
          <h2>
            <a href={linkTo(day)} aria-label={dayText(day)}>
              <b>{Number(day.slice(8))}</b>
              <span>
                {weekdayText(day, 'short')}
                <small>{day === now ? 'Today' : monthNear(day, now)}</small>
              </span>
            </a>
          </h2>
          <ul>
            {ofDay.map((span) => (
              <AgendaItem key={span.event.id} span={span} day={day} hueOf={hueOf} />
            ))}
          </ul>
        </li>
      ))}
    </ol>
  );
}

interface ItemProperties {
  span: EventSpan;
  day: CalendarDay;
  hueOf: HueOf;
  /** Whether its day is not said by what it stands under. */
  dated?: boolean;
  /** A venue that is said there. */
  at?: number;
}

/** An event in a line: its time, its title, its place. */
export function AgendaItem({ span, day, hueOf, dated, at }: ItemProperties) {
  const { event } = span;
  const venues = venuesOf(event).filter(({ id }) => id !== at);
  const places = venues.map(({ venue, city }) => [plain(venue), plain(city)].filter(Boolean).join(', '));
  return (
    <li>
      <a class={`line ${hueOf(event)}`} href={pathOf(event)} data-event={event.id}>
        <span class="time">
          {dated && <b>{shortDayText(span.first)}</b>} {timeOf(span, dated ? span.first : day)}
        </span>
        <span class="what">
          <bdi class="title">{plain(event.title)}</bdi>
          {isHidden(event) && <span class="badge">{event.status}</span>}
          {event.featured && <span class="badge">featured</span>}
          {places.length > 0 && <bdi class="place">{places.join(' · ')}</bdi>}
        </span>
        {event.cost && <span class="cost">{plain(event.cost)}</span>}
      </a>
    </li>
  );
}
