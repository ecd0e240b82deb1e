import { useLayoutEffect, useRef } from 'preact/hooks';
import { useWallNow } from '../clock.ts';
import { type CalendarDay, dayOf, minutesOf, weekdayOf } from '../days.ts';
import { dayText, hourText, timesText, weekdayText } from '../format.ts';
import { plain } from '../markup.ts';
import { pathOf, venuesOf } from '../record.ts';
import { Chip, whenText } from './chip.tsx';
import { type HueOf, isHidden } from './hues.ts';
import { type Block, barsOf, blocksOf, fitting } from './lanes.ts';
import { type EventSpan, isBar } from './span.ts';

const dayMinutes = 1440;
const mostBars = 8;
/** The hour that is at the top at first, unless something begins earlier. */
const morning = 7;
/** The hours that are printed in any case. */
const workday = [8, 18] as const;
/** The hours that are written at the side; midnight is at the edge. */
const hoursOfDay = Array.from({ length: 23 }, (_, at) => at + 1);
/** Pixels of an hour and of a line in a block; the style has the same. */
const hourHeight = 52;
const lineHeight = 15.6;
const percent = (minutes: number) => `${(minutes / dayMinutes) * 100}%`;

interface Properties {
  days: readonly CalendarDay[];
  spans: readonly EventSpan[];
  hueOf: HueOf;
  linkTo(day: CalendarDay): string;
  onPointerDown(event: PointerEvent): void;
  mayDrag: boolean;
  /** Whether what is shown is complete, so that it is known where the day begins. */
  ready: boolean;
}

/** Days side by side with their hours, what lasts for days above them. */
export function Hours({ days, spans, hueOf, linkTo, onPointerDown, mayDrag, ready }: Properties) {
  const scroller = useRef<HTMLDivElement>(null);
  const clock = useWallNow(30_000);
  const now = dayOf(clock);
  const { shown, hidden } = fitting(barsOf(spans.filter(isBar), days), mostBars, days.length);
  const timed = spans.filter((span) => !isBar(span));
  const blocks = days.map((day) => blocksOf(timed, day));
  // On paper there are the hours of the day, and those before and after in which something is on.
  const first = Math.min(workday[0], ...blocks.flat().map(({ from }) => Math.floor(from / 60)));
  const last = Math.max(workday[1], ...blocks.flat().map(({ to }) => Math.ceil(to / 60)));
  const earliest = Math.min(morning * 60, ...timed.filter(({ first }) => days.includes(first)).map(({ from }) => minutesOf(from)));
  const view = `${days[0]} ${days.length} ${ready}`;
  const scrolled = useRef('');
  useLayoutEffect(() => {
    if (scrolled.current === view) return;
    scrolled.current = view;
    const box = scroller.current;
    const hours = box?.querySelector('.hours');
    const column = box?.querySelector('.now-line')?.closest<HTMLElement>('.column');
    // Where not all days find room, today does.
    if (box) box.scrollLeft = column ? column.offsetLeft - column.offsetWidth : 0;
    if (box && hours) box.scrollTop = (Math.max(0, Math.floor(earliest / 60) - 0.25) * 60 * hours.clientHeight) / dayMinutes;
  }, [view, earliest]);
  return (
    <section
      class={`timetable days-${days.length}`}
      style={{ '--first': first, '--last': last }}
      ref={scroller}
      onPointerDown={onPointerDown}
      aria-label="Hours"
    >
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
        <span class="gutter">all day</span>
        <div class="strip">
          <div class="cells">
            {days.map((day) => (
              <div key={day} class="cell" data-day={day} />
            ))}
          </div>
          <ul class="bars">
            {shown.map(({ span, start, end, lane, before, after }) => (
              <li key={span.event.id} style={{ gridColumn: `${start + 1} / ${end + 2}`, gridRow: lane + 1 }}>
                <Chip span={span} hueOf={hueOf} before={before} after={after} resizable={mayDrag} />
              </li>
            ))}
            {hidden.map(
              (count, at) =>
                count > 0 && (
                  <li key={days[at]} style={{ gridColumn: at + 1, gridRow: mostBars }}>
                    <a class="more" href={linkTo(days[at]!)} aria-label={`${count} more on ${dayText(days[at]!)}`}>
                      +{count} more
                    </a>
                  </li>
                ),
            )}
          </ul>
        </div>
      </div>
      <div class="hours">
        <div class="gutter" aria-hidden="true">
          {hoursOfDay.map((hour) => (
            <span key={hour} style={{ top: percent(hour * 60) }}>
              {hourText(hour)}
            </span>
          ))}
        </div>
        {days.map((day, at) => (
          <div key={day} class={`column${weekdayOf(day) > 5 ? ' weekend' : ''}`} data-day={day} data-hours>
            <ul>
              {blocks[at]!.map((block) => (
                <BlockItem key={block.span.event.id} block={block} hueOf={hueOf} resizable={mayDrag} />
              ))}
            </ul>
            {day === dayOf(clock) && <div class="now-line" style={{ top: percent(minutesOf(clock)) }} />}
          </div>
        ))}
      </div>
    </section>
  );
}

function BlockItem({ block, hueOf, resizable }: { block: Block; hueOf: HueOf; resizable: boolean }) {
  const { span, from, to, column, columns, width, before, after } = block;
  const { event } = span;
  const title = plain(event.title);
  const venue = venuesOf(event).map((each) => plain(each.venue))[0];
  const size = to - from < 45 ? 'low' : to - from < 75 ? 'middle' : 'high';
  const place = {
    top: percent(from),
    height: percent(to - from),
    left: `${(column / columns) * 100}%`,
    width: `${(width / columns) * 100}%`,
  };
  return (
    <li style={{ ...place, '--lines': Math.max(1, Math.floor(((to - from) * hourHeight) / 60 / lineHeight - 0.5)) }}>
      <a
        class={`block ${size} ${hueOf(event)}${isHidden(event) ? ' draft' : ''}`}
        href={pathOf(event)}
        title={`${title}\n${whenText(span)}`}
        draggable={false}
        data-event={event.id}
      >
        <bdi class="title">{title}</bdi>
        <span class="time" aria-hidden="true">
          {before ? `until ${timesText(span.to, span.to)}` : timesText(span.from, span.to)}
        </span>
        {venue && (
          <bdi class="place" aria-hidden="true">
            {venue}
          </bdi>
        )}
        {isHidden(event) && <span class="unseen">, {event.status}</span>}
        <span class="unseen">, {whenText(span)}</span>
        {resizable && !after && <span class="edge" data-edge="end" />}
      </a>
    </li>
  );
}
