import { today } from '../../context.ts';
import { type CalendarDay, daysBetween, plusDays, plusMonths } from '../../days.ts';
import { dayText, monthText } from '../../format.ts';
import type { EventSpan } from '../span.ts';
import { MonthTable } from './month.tsx';

/** Number of shades for the number of events on a day. */
const maxShade = 4;
const maxDays = 366;

/** Counts the events of each day. */
function countByDay(spans: readonly EventSpan[], year: string): Map<CalendarDay, number> {
  const counts = new Map<CalendarDay, number>();
  for (const { first, last } of spans) {
    const from = first < `${year}-01-01` ? `${year}-01-01` : first;
    const length = Math.min(maxDays, daysBetween(from, last > `${year}-12-31` ? `${year}-12-31` : last));
    for (let index = 0; index <= length; index++) {
      const day = plusDays(from, index);
      counts.set(day, (counts.get(day) ?? 0) + 1);
    }
  }
  return counts;
}

const shadeOf = (count: number) => (count === 0 ? 0 : Math.min(maxShade, 1 + Math.floor(Math.log2(count))));

interface Properties {
  year: string;
  spans: readonly EventSpan[];
  linkTo(day: CalendarDay): string;
  linkToMonth(day: CalendarDay): string;
}

/** The months of a year. Days with events are shaded by their number. */
export function Year({ year, spans, linkTo, linkToMonth }: Properties) {
  const counts = countByDay(spans, year);
  const months = Array.from({ length: 12 }, (_, index) => plusMonths(`${year}-01-01`, index));
  const now = today();
  return (
    <ol class="year">
      {months.map((month) => (
        <li key={month}>
          <h2>
            <a href={linkToMonth(month)}>{monthText(month).replace(` ${year}`, '')}</a>
          </h2>
          <MonthTable
            month={month}
            renderDay={(day) => day.slice(0, 7) === month.slice(0, 7) && <YearDay {...{ day, now, linkTo }} count={counts.get(day) ?? 0} />}
          />
        </li>
      ))}
    </ol>
  );
}

const YearDay = ({ day, now, count, linkTo }: { day: CalendarDay; now: CalendarDay; count: number; linkTo: Properties['linkTo'] }) => (
  <a
    href={linkTo(day)}
    tabIndex={count ? undefined : -1}
    class={`shade-${shadeOf(count)}${day === now ? ' now' : ''}`}
    aria-current={day === now ? 'date' : undefined}
    aria-label={`${dayText(day)}, ${count === 1 ? '1 event' : `${count} events`}`}
  >
    {Number(day.slice(8))}
  </a>
);
