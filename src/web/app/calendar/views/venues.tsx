import { useRef } from 'preact/hooks';
import { today } from '../../context.ts';
import { Scrollable } from '../../controls.tsx';
import { type CalendarDay, minutesOf } from '../../days.ts';
import { dayText, shortDayText } from '../../format.ts';
import { plain } from '../../markup.ts';
import { venuesOf } from '../../record.ts';
import { blocksOf } from '../cascade.ts';
import { Chip } from '../chip.tsx';
import type { HueOf } from '../hues.ts';
import { type EventSpan, isBar } from '../span.ts';
import { addressOf, type CalendarState } from '../state.ts';
import { Blocks } from './blocks.tsx';
import { HourLabels, useHourScroll, useMaxColumns } from './hours.tsx';

interface VenueColumn {
  id: number;
  name: string;
  spans: EventSpan[];
}

const noVenue = 'No venue';

/** Groups spans by venue, in alphabetical order; those without one come last. An event at several venues is in each. */
function columnsOf(spans: readonly EventSpan[]): VenueColumn[] {
  const columns = new Map<number, VenueColumn>();
  for (const span of spans) {
    const venues = venuesOf(span.event);
    for (const { id, venue } of venues.length ? venues : [{ id: 0, venue: noVenue }]) {
      const column = columns.get(id) ?? { id, name: plain(venue), spans: [] };
      columns.set(id, column);
      column.spans.push(span);
    }
  }
  return [...columns.values()].sort((one, other) => Number(one.id === 0) - Number(other.id === 0) || one.name.localeCompare(other.name));
}

interface Properties {
  state: CalendarState;
  days: readonly CalendarDay[];
  spans: readonly EventSpan[];
  hueOf: HueOf;
  linkTo(day: CalendarDay): string;
}

/** A day or a week with a column for each venue. */
export function Venues({ state, days, spans, hueOf, linkTo }: Properties) {
  const columns = columnsOf(spans.filter(({ first, lastHour }) => first <= days.at(-1)! && lastHour >= days[0]!));
  const link = (isWeek: boolean, text: string) => (
    <a href={addressOf({ ...state, isWeek }, today())} aria-current={(state.isWeek ?? false) === isWeek ? 'page' : undefined}>
      {text}
    </a>
  );
  return (
    <>
      <nav class="views period" aria-label="Period">
        {link(false, 'One day')}
        {link(true, 'One week')}
      </nav>
      {columns.length > 0 &&
        (state.isWeek ? <VenueWeek {...{ columns, days, hueOf, linkTo }} /> : <VenueDay {...{ columns, hueOf, linkTo }} day={days[0]!} />)}
    </>
  );
}

function VenueDay({ columns, day, hueOf, linkTo }: Omit<WeekProperties, 'days'> & { day: CalendarDay }) {
  const scroller = useRef<HTMLElement>(null);
  const maxColumns = useMaxColumns(scroller, columns.length);
  const timed = columns.flatMap(({ spans }) => spans).filter((span) => !isBar(span) && span.first === day);
  const earlier = useHourScroll(
    scroller,
    day,
    timed.map(({ from }) => minutesOf(from)),
  );
  return (
    <Scrollable class="timetable by-venue" label={`Venues on ${dayText(day)}`} ref={scroller}>
      <div class="heads">
        <span class="gutter" />
        {columns.map(({ id, name, spans }) => (
          <div key={id} class="head">
            <h2>
              <bdi>{name}</bdi>
            </h2>
            <ul>
              {spans.filter(isBar).map((span) => (
                <li key={span.event.id}>
                  <Chip span={span} hueOf={hueOf} />
                </li>
              ))}
            </ul>
          </div>
        ))}
        {earlier}
      </div>
      <div class="hours">
        <HourLabels />
        {columns.map(({ id, spans }) => (
          <div key={id} class="column">
            <Blocks
              {...blocksOf(
                spans.filter((span) => !isBar(span)),
                day,
                maxColumns,
              )}
              {...{ day, hueOf, linkTo }}
              resizable={false}
            />
          </div>
        ))}
      </div>
    </Scrollable>
  );
}

interface WeekProperties {
  columns: readonly VenueColumn[];
  days: readonly CalendarDay[];
  hueOf: HueOf;
  linkTo(day: CalendarDay): string;
}

function VenueWeek({ columns, days, hueOf, linkTo }: WeekProperties) {
  return (
    <Scrollable class="venue-week" label="Venues of the week">
      <table>
        <thead>
          <tr>
            <td />
            {columns.map(({ id, name }) => (
              <th key={id} scope="col">
                <bdi>{name}</bdi>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {days.map((day) => (
            <tr key={day}>
              <th scope="row">
                <a href={linkTo(day)}>{shortDayText(day)}</a>
              </th>
              {columns.map(({ id, spans }) => (
                <td key={id}>
                  <ul>
                    {spans
                      .filter(({ first, last }) => first <= day && day <= last)
                      .map((span) => (
                        <li key={span.event.id}>
                          <Chip span={span} hueOf={hueOf} />
                        </li>
                      ))}
                  </ul>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </Scrollable>
  );
}
