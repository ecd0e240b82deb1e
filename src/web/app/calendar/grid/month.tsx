import type { RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { type Day, monthOf, plusDays, weekOf, weeksOf } from '../../../../model/time/days.ts';
import { today } from '../../context.ts';
import { monthsLater } from '../../days.ts';
import { counted, dayText, shortDateText, weekdayText, weekStart } from '../../format.ts';
import { lengthOf, useMeasured, useMedia, usePrinting } from '../../measure.ts';
import { Agenda } from '../agenda.tsx';
import type { HueOf } from '../hues.ts';
import { type EventSpan, isBar } from '../span.ts';
import { Bars } from './chip.tsx';
import { type Bar, barsOf } from './lanes.ts';
import './month.css';
import './small-month.css';

/** Screens on which a month shows dots, and lists the events of the selected day. */
const smallScreen = '(width <= 40rem)';

const minLanes = 2;

/** Measures how many lanes fit into a week. Returns also which lanes have space for titles of two lines. */
function useLanes(weeks: number) {
  const rows = useRef<HTMLOListElement>(null);
  const measure = (element: Element) => {
    const height = element.clientHeight / weeks - lengthOf(element, '--number-height');
    return [height, lengthOf(element, '--lane-height'), lengthOf(element, '--double-lane-height')].join();
  };
  const [height, lane, doubleLane] = useMeasured(rows, measure, '0,1,2', [weeks]).split(',').map(Number) as [number, number, number];
  // Paper has every event.
  const isPrinting = usePrinting();
  const lanes = isPrinting ? Number.POSITIVE_INFINITY : Math.max(minLanes, Math.floor(height / lane));
  const roomyLanesOf = (bars: readonly Bar[]): number[] => {
    const used = Math.max(0, ...bars.map((bar) => bar.lane + 1));
    if (used > lanes || isPrinting) return [];
    const timed = [...new Set(bars.filter(({ span }) => !isBar(span)).map((bar) => bar.lane))].sort((one, other) => one - other);
    return timed.slice(0, Math.floor((height - used * lane) / (doubleLane - lane)));
  };
  return { rows, lanes, roomyLanesOf };
}

interface Properties {
  day: Day;
  spans: readonly EventSpan[];
  hueOf: HueOf;
  linkTo(day: Day): string;
  /** The address of the month with another selected day, whose events a small screen lists. */
  selectAddress(day: Day): string;
  goTo(day: Day): void;
  canDrag: boolean;
}

/** A month as a grid of weeks. */
export function Month({ day, spans, hueOf, linkTo, selectAddress, goTo, canDrag }: Properties) {
  const weeks = weeksOf(monthOf(day), weekStart);
  const { rows, lanes, roomyLanesOf } = useLanes(weeks.length);
  const onKeyDown = useDayKeys(rows, day, goTo);
  const isSmall = useMedia(smallScreen);
  const small = isSmall ? ' small' : '';
  const month = day.slice(0, 7);
  const now = today();
  return (
    <div class={`month${small}`}>
      <div class="month-weekdays" aria-hidden="true">
        {weeks[0]!.map((each) => (
          <span class="month-weekday" key={each}>
            <span class="wide-only">{weekdayText(each, 'short')}</span>
            <span class="narrow-only">{weekdayText(each, 'narrow')}</span>
          </span>
        ))}
      </div>
      <ol class="month-weeks" ref={rows} onKeyDown={onKeyDown}>
        {weeks.map((days) => {
          const bars = barsOf(spans, days);
          return (
            <li class={`month-week${small}`} key={days[0]}>
              <div class="month-cells">
                {days.map((each, index) => {
                  const count = bars.filter((bar) => bar.start <= index && index <= bar.end).length;
                  const showsMonth = each.endsWith('-01') || each === weeks[0]![0];
                  return (
                    <div
                      class={`month-cell${small}${each.startsWith(month) ? '' : ' other'}${each === now ? ' now' : ''}${isSmall && each === day ? ' selected' : ''}`}
                      key={each}
                      data-day={each}
                    >
                      <a
                        class="month-number"
                        href={isSmall ? selectAddress(each) : linkTo(each)}
                        tabIndex={each === day ? 0 : -1}
                        data-key={each}
                        aria-current={each === now ? 'date' : undefined}
                      >
                        <span class="unseen">
                          {dayText(each)}, {counted(count, 'event')}
                        </span>
                        <span aria-hidden="true">
                          {showsMonth && each !== now && !isSmall ? shortDateText(each) : Number(each.slice(8))}
                        </span>
                        {isSmall && (
                          <Dots
                            spans={bars.filter((bar) => bar.start <= index && index <= bar.end).map(({ span }) => span)}
                            hueOf={hueOf}
                          />
                        )}
                      </a>
                    </div>
                  );
                })}
              </div>
              {!isSmall && <Bars {...{ days, bars, lanes, hueOf, linkTo, canDrag }} roomyLanes={roomyLanesOf(bars)} isShort />}
            </li>
          );
        })}
      </ol>
      {isSmall && (
        <section class="month-selected-day" aria-label={dayText(day)}>
          <Agenda spans={spans.filter(({ first, last }) => first <= day && day <= last)} from={day} hueOf={hueOf} linkTo={linkTo} />
        </section>
      )}
    </div>
  );
}

const maxDots = 4;

/** The colors of the events of a day on a small screen. */
const Dots = ({ spans, hueOf }: Pick<Properties, 'spans' | 'hueOf'>) => (
  <span class="month-dots" aria-hidden="true">
    {spans.slice(0, maxDots).map(({ event }) => (
      <span key={event.id} class={hueOf(event)} />
    ))}
  </span>
);

/** A small month to select a day. */
export function SmallMonth({ day, linkTo, goTo }: Pick<Properties, 'day' | 'linkTo' | 'goTo'>) {
  const table = useRef<HTMLTableElement>(null);
  const onKeyDown = useDayKeys(table, day, goTo);
  const now = today();
  const weeks = weeksOf(monthOf(day), weekStart);
  return (
    <table class="small-month" ref={table} onKeyDown={onKeyDown}>
      <thead>
        <tr>
          {weeks[0]!.map((each) => (
            <th key={each} scope="col" abbr={weekdayText(each, 'long')}>
              {weekdayText(each, 'narrow')}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {weeks.map((days) => (
          <tr key={days[0]}>
            {days.map((each) => (
              <td key={each}>
                <a
                  href={linkTo(each)}
                  data-key={each}
                  tabIndex={each === day ? 0 : -1}
                  class={`small-month-day${each.slice(0, 7) === day.slice(0, 7) ? '' : ' other'}${each === now ? ' now' : ''}${each === day ? ' selected' : ''}`}
                  aria-current={each === now ? 'date' : undefined}
                >
                  <span class="unseen">{dayText(each)}</span>
                  <span aria-hidden="true">{Number(each.slice(8))}</span>
                </a>
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const steps: Record<string, (day: Day) => Day> = {
  ArrowLeft: (day) => plusDays(day, -1),
  ArrowRight: (day) => plusDays(day, 1),
  ArrowUp: (day) => plusDays(day, -7),
  ArrowDown: (day) => plusDays(day, 7),
  Home: (day) => weekOf(day, weekStart),
  End: (day) => plusDays(weekOf(day, weekStart), 6),
  PageUp: (day) => monthsLater(day, -1),
  PageDown: (day) => monthsLater(day, 1),
};

/** Lets the arrow keys move between the links with `data-key`, and past the edge to the next month. */
function useDayKeys(container: RefObject<HTMLElement | null>, day: Day, goTo: (day: Day) => void) {
  const shouldFocus = useRef(false);
  useLayoutEffect(() => {
    const { current } = container;
    if (shouldFocus.current) current?.querySelector<HTMLElement>(`[data-key="${day}"]`)?.focus();
    shouldFocus.current = false;
  }, [day, container]);
  return (event: KeyboardEvent) => {
    const focused = event.target instanceof HTMLElement ? event.target.dataset.key : undefined;
    const step = steps[event.key];
    if (!focused || !step || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    shouldFocus.current = true;
    goTo(step(focused));
  };
}
