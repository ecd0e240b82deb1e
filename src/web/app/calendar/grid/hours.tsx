import type { RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { type Day, dayOf, weekdayOf } from '../../../../model/time/days.ts';
import { useWallNow } from '../../clock.ts';
import { dayMinutes, minutesOf, toPercent } from '../../days.ts';
import { dayText, hourText, timesText, weekdayText } from '../../format.ts';
import { lengthOf, useMeasured } from '../../measure.ts';
import { textOfHtml } from '../../parts/html.tsx';
import { statusText, venuesOf } from '../../record.ts';
import { type HueOf, isNotPublic } from '../hues.ts';
import { useEventAddress } from '../links.ts';
import { type EventSpan, isBar } from '../span.ts';
import { type Block, blocksOf } from './cascade.ts';
import { Bars, More, whenText } from './chip.tsx';
import { barsOf } from './lanes.ts';
import './block.css';
import './timetable.css';

const maxBars = 8;
/** Hour to scroll to initially, or one before the first later event. */
const initialHour = 7;
/** Hours that are always printed. */
const printedHours = [8, 18] as const;
/** Labeled hours. Midnight is at the edge and needs no label. */
const labeledHours = Array.from({ length: 23 }, (_, index) => index + 1);

/** The column of hours beside the days. */
const HourLabels = () => (
  <div class="timetable-gutter" aria-hidden="true">
    {labeledHours.map((hour) => (
      <span key={hour} style={{ top: toPercent(hour * 60) }}>
        {hourText(hour)}
      </span>
    ))}
  </div>
);

/** Measures how many columns of blocks are legible in a day. */
function useMaxColumns(scroller: RefObject<HTMLElement | null>, days: number): number {
  const measure = (element: Element) => {
    const column = element.querySelector('.timetable-column');
    return column ? Math.max(2, Math.floor(column.clientWidth / lengthOf(element, '--min-strip-width'))) : 2;
  };
  return useMeasured(scroller, measure, 2, [days]);
}

/**
 * Scrolls hour columns to 07:00, or to one hour before the first event after that, whenever `view` changes. Returns the button that shows
 * earlier events.
 */
function useHourScroll(scroller: RefObject<HTMLElement | null>, view: string, starts: readonly number[]) {
  const first = Math.min(...starts.filter((minute) => minute >= initialHour * 60));
  const top = Number.isFinite(first) ? Math.max(initialHour * 60, first - 60) : initialHour * 60;
  const earlier = starts.filter((minute) => minute < initialHour * 60);
  const scrolled = useRef('');
  const scrollTo = (minute: number) => {
    const hours = scroller.current?.querySelector('.timetable-hours');
    if (hours) scroller.current!.scrollTop = ((minute - 15) * hours.clientHeight) / dayMinutes;
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: scrolls once per view.
  useLayoutEffect(() => {
    if (scrolled.current === view) return;
    scrolled.current = view;
    const container = scroller.current;
    const column = container?.querySelector('.timetable-now-line')?.closest<HTMLElement>('.timetable-column');
    // If the days don't fit, scroll to today.
    if (container) container.scrollLeft = column ? column.offsetLeft - column.offsetWidth : 0;
    scrollTo(top);
  }, [view, top]);
  if (!earlier.length) return null;
  return (
    <p class="timetable-earlier">
      <button type="button" onClick={() => scrollTo(Math.min(...earlier))}>
        {earlier.length} earlier
      </button>
    </p>
  );
}

interface Properties {
  days: readonly Day[];
  spans: readonly EventSpan[];
  hueOf: HueOf;
  linkTo(day: Day): string;
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
    <section
      class={`timetable${days.length > 1 ? ' week' : ''}`}
      style={{ '--days': days.length, '--first': first, '--last': last }}
      ref={scroller}
      aria-label="Hours"
    >
      <div class="timetable-heads">
        <span class="timetable-gutter" />
        {days.map((day) => (
          <a
            key={day}
            class={`timetable-head${day === now ? ' now' : ''}`}
            href={linkTo(day)}
            aria-current={day === now ? 'date' : undefined}
          >
            <span aria-hidden="true">{weekdayText(day, 'short')}</span> <b aria-hidden="true">{Number(day.slice(8))}</b>
            <span class="unseen">{dayText(day)}</span>
          </a>
        ))}
      </div>
      <div class="timetable-whole-days">
        <span class="timetable-gutter">All day</span>
        <div class="timetable-strip">
          <div class="timetable-cells">
            {days.map((day) => (
              <div key={day} class="timetable-cell" data-day={day} />
            ))}
          </div>
          <Bars {...{ days, bars, hueOf, linkTo, canDrag }} lanes={maxBars} />
        </div>
        {earlier}
      </div>
      <div class="timetable-hours">
        <HourLabels />
        {days.map((day, index) => (
          <div key={day} class={`timetable-column${weekdayOf(day) > 5 ? ' weekend' : ''}`} data-day={day} data-hours>
            <Blocks {...columns[index]!} {...{ day, hueOf, linkTo }} resizable={canDrag} />
            {day === now && <div class="timetable-now-line" style={{ top: toPercent(minutesOf(wall)) }} />}
          </div>
        ))}
      </div>
    </section>
  );
}

interface BlocksProperties extends ReturnType<typeof blocksOf> {
  day: Day;
  hueOf: HueOf;
  linkTo(day: Day): string;
  resizable: boolean;
}

/** The events of a column, and the number of those that don't fit. */
const Blocks = ({ day, blocks, crowds, hueOf, linkTo, resizable }: BlocksProperties) => (
  <ul>
    {blocks.map((block) => (
      <BlockItem key={block.span.event.id} {...{ block, hueOf, resizable }} />
    ))}
    {crowds.map(({ from, spans }) => (
      <li key={`more ${from}`} class="timetable-item timetable-crowd" style={{ top: toPercent(from) }}>
        <More {...{ day, spans, hueOf, linkTo }} count={spans.length} isShort />
      </li>
    ))}
  </ul>
);

function BlockItem({ block, hueOf, resizable }: { block: Block; hueOf: HueOf; resizable: boolean }) {
  const addressOf = useEventAddress();
  const { span, from, to, column, columns, width, visible, before, after, beside } = block;
  const { event } = span;
  const title = textOfHtml(event.title);
  const venue = venuesOf(event).map((each) => textOfHtml(each.venue))[0];
  const minutes = visible.to - from;
  const size = minutes < 45 ? 'low' : minutes < 75 ? 'middle' : 'high';
  const available = beside ? '100% - var(--crowd-width)' : '100%';
  const position = {
    top: toPercent(from),
    height: toPercent(to - from),
    left: `calc((${available}) * ${column / columns})`,
    width: `calc((${available}) * ${width / columns})`,
    '--column': column,
    '--columns': columns,
    '--minutes': minutes,
    '--visible-width': visible.width / width,
    '--visible-height': minutes / (to - from),
  };
  return (
    <li class="timetable-item" style={position}>
      <a
        class={`block ${size} ${hueOf(event)}${isNotPublic(event) ? ' draft' : ''}`}
        href={addressOf(event)}
        title={`${title}\n${whenText(span)}`}
        draggable={false}
        data-event={event.id}
      >
        <span class="block-text">
          <bdi class="block-title">{title}</bdi>
          <span class="block-time" aria-hidden="true">
            {before ? `Until ${timesText(span.to, span.to)}` : timesText(span.from, span.to)}
          </span>
          {venue && (
            <bdi class="block-place" aria-hidden="true">
              {venue}
            </bdi>
          )}
        </span>
        {isNotPublic(event) && <span class="unseen">, {statusText(event)}</span>}
        <span class="unseen">, {whenText(span)}</span>
        {resizable && !before && <span class="block-edge start" data-edge="start" />}
        {resizable && !after && <span class="block-edge" data-edge="end" />}
      </a>
    </li>
  );
}
