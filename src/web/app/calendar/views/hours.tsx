import type { RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { useWallNow } from '../../clock.ts';
import { type CalendarDay, dayMinutes, dayOf, minutesOf, toPercent, weekdayOf } from '../../days.ts';
import { dayText, hourText, weekdayText } from '../../format.ts';
import { lengthOf, useMeasured } from '../../measure.ts';
import { blocksOf } from '../cascade.ts';
import type { HueOf } from '../hues.ts';
import { barsOf } from '../lanes.ts';
import { type EventSpan, isBar } from '../span.ts';
import { Bars } from './bars.tsx';
import { Blocks } from './blocks.tsx';

const maxBars = 8;
/** Hour to scroll to initially, or one before the first later event. */
const initialHour = 7;
/** Hours that are always printed. */
const printedHours = [8, 18] as const;
/** Labeled hours. Midnight is at the edge and needs no label. */
const labeledHours = Array.from({ length: 23 }, (_, index) => index + 1);

/** The column of hours beside the days. */
export const HourLabels = () => (
  <div class="gutter" aria-hidden="true">
    {labeledHours.map((hour) => (
      <span key={hour} style={{ top: toPercent(hour * 60) }}>
        {hourText(hour)}
      </span>
    ))}
  </div>
);

/** Measures how many columns of blocks are legible in a day. */
export function useMaxColumns(scroller: RefObject<HTMLElement | null>, days: number): number {
  const measure = (element: Element) => {
    const column = element.querySelector('.column');
    return column ? Math.max(2, Math.floor(column.clientWidth / lengthOf(element, '--min-strip-width'))) : 2;
  };
  return useMeasured(scroller, measure, 2, [days]);
}

/**
 * Scrolls hour columns to 07:00, or to one hour before the first event after that, whenever `view` changes. Returns the button that shows
 * earlier events.
 */
export function useHourScroll(scroller: RefObject<HTMLElement | null>, view: string, starts: readonly number[]) {
  const first = Math.min(...starts.filter((minute) => minute >= initialHour * 60));
  const top = Number.isFinite(first) ? Math.max(initialHour * 60, first - 60) : initialHour * 60;
  const earlier = starts.filter((minute) => minute < initialHour * 60);
  const scrolled = useRef('');
  const scrollTo = (minute: number) => {
    const hours = scroller.current?.querySelector('.hours');
    if (hours) scroller.current!.scrollTop = ((minute - 15) * hours.clientHeight) / dayMinutes;
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: scrolls once per view.
  useLayoutEffect(() => {
    if (scrolled.current === view) return;
    scrolled.current = view;
    const container = scroller.current;
    const column = container?.querySelector('.now-line')?.closest<HTMLElement>('.column');
    // If the days don't fit, scroll to today.
    if (container) container.scrollLeft = column ? column.offsetLeft - column.offsetWidth : 0;
    scrollTo(top);
  }, [view, top]);
  if (!earlier.length) return null;
  return (
    <p class="earlier">
      <button type="button" onClick={() => scrollTo(Math.min(...earlier))}>
        {earlier.length} earlier
      </button>
    </p>
  );
}

interface Properties {
  days: readonly CalendarDay[];
  spans: readonly EventSpan[];
  hueOf: HueOf;
  linkTo(day: CalendarDay): string;
  canDrag: boolean;
  /** True if all events are loaded, so that the initial scroll position is known. */
  isReady: boolean;
}

/** Days as columns of hours, with all-day and multi-day events above. */
export function Hours({ days, spans, hueOf, linkTo, canDrag, isReady }: Properties) {
  const scroller = useRef<HTMLDivElement>(null);
  const wall = useWallNow(30_000);
  const now = dayOf(wall);
  const bars = barsOf(
    spans.filter(isBar).map((span) => ({ ...span, last: span.lastHour })),
    days,
  );
  const timed = spans.filter((span) => !isBar(span));
  const maxColumns = useMaxColumns(scroller, days.length);
  const columns = days.map((day) => blocksOf(timed, day, maxColumns));
  const blocks = columns.map((column) => column.blocks);
  // The hours to print: those of a working day, extended to all events.
  const first = Math.min(printedHours[0], ...blocks.flat().map(({ from }) => Math.floor(from / 60)));
  const last = Math.max(printedHours[1], ...blocks.flat().map(({ to }) => Math.ceil(to / 60)));
  const starts = timed.filter(({ first }) => days.includes(first)).map(({ from }) => minutesOf(from));
  const earlier = useHourScroll(scroller, `${days[0]} ${days.length} ${isReady}`, starts);
  return (
    <section class={`timetable days-${days.length}`} style={{ '--first': first, '--last': last }} ref={scroller} aria-label="Hours">
      <div class="heads">
        <span class="gutter" />
        {days.map((day) => (
          <a key={day} class={`head${day === now ? ' now' : ''}`} href={linkTo(day)} aria-current={day === now ? 'date' : undefined}>
            <span aria-hidden="true">{weekdayText(day, 'short')}</span> <b aria-hidden="true">{Number(day.slice(8))}</b>
            <span class="unseen">{dayText(day)}</span>
          </a>
        ))}
      </div>
      <div class="whole-days">
        <span class="gutter">All day</span>
        <div class="strip">
          <div class="cells">
            {days.map((day) => (
              <div key={day} class="cell" data-day={day} />
            ))}
          </div>
          <Bars {...{ days, bars, hueOf, linkTo, canDrag }} lanes={maxBars} />
        </div>
        {earlier}
      </div>
      <div class="hours">
        <HourLabels />
        {days.map((day, index) => (
          <div key={day} class={`column${weekdayOf(day) > 5 ? ' weekend' : ''}`} data-day={day} data-hours>
            <Blocks {...columns[index]!} {...{ day, hueOf, linkTo }} resizable={canDrag} />
            {day === now && <div class="now-line" style={{ top: toPercent(minutesOf(wall)) }} />}
          </div>
        ))}
      </div>
    </section>
  );
}
