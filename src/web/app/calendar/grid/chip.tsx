import type { ComponentProps } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Day } from '../../../../model/time/days.ts';
import { useAddress } from '../../address.ts';
import { dayText, shortTimeText, timesText, timeText } from '../../format.ts';
import { Floating } from '../../parts/dialog.tsx';
import { textOfHtml } from '../../parts/html.tsx';
import { statusText } from '../../record.ts';
import { Agenda } from '../agenda.tsx';
import { type HueOf, isNotPublic } from '../hues.ts';
import { useEventAddress } from '../links.ts';
import { type EventSpan, isBar } from '../span.ts';
import { type Bar, fitBars } from './lanes.ts';
import './bars.css';
import './chip.css';

/** Formats the date and time of an event. */
export const whenText = ({ from, to, first, last, allDay }: EventSpan): string => {
  if (first === last) return allDay ? `${dayText(first)}, all day` : `${dayText(first)}, ${timesText(from, to)}`;
  return allDay ? `${dayText(first)} to ${dayText(last)}` : `${dayText(first)}, ${timeText(from)} to ${dayText(last)}, ${timeText(to)}`;
};

interface ChipProperties {
  span: EventSpan;
  hueOf: HueOf;
  before?: boolean;
  after?: boolean;
  /** True if its title may have two lines. */
  isRoomy?: boolean;
  /** True if a narrow screen leaves out its time. */
  isShort?: boolean;
  /** Shows a handle to drag the end. */
  resizable?: boolean;
}

/** An event in a row of days: a bar if it lasts for days, otherwise a dot with the start time. */
function Chip({ span, hueOf, before, after, isRoomy, isShort, resizable }: ChipProperties) {
  const addressOf = useEventAddress();
  const { event, from } = span;
  const bar = isBar(span);
  const title = textOfHtml(event.title);
  const edges = `${before ? ' before' : ''}${after ? ' after' : ''}`;
  return (
    <a
      class={`chip ${bar ? 'bar' : 'dot'}${edges}${isRoomy ? ' roomy' : ''}${isShort ? ' short' : ''} ${hueOf(event)}${isNotPublic(event) ? ' draft' : ''}`}
      href={addressOf(event)}
      title={`${title}\n${whenText(span)}`}
      draggable={false}
      data-event={event.id}
    >
      <span class="chip-text">
        {!bar && <span class="chip-time">{shortTimeText(from)}</span>} <bdi class="chip-title">{title}</bdi>
      </span>
      {isNotPublic(event) && <span class="unseen">, {statusText(event)}</span>}
      <span class="unseen">, {whenText(span)}</span>
      {resizable && bar && !before && <span class="chip-edge start" data-edge="start" />}
      {resizable && bar && !after && <span class="chip-edge" data-edge="end" />}
    </a>
  );
}

interface BarsProperties {
  days: readonly Day[];
  bars: readonly Bar[];
  /** Number of lanes that fit; the last one counts the bars of a day that do not. */
  lanes: number;
  hueOf: HueOf;
  linkTo(day: Day): string;
  canDrag: boolean;
  /** Lanes whose titles may have two lines. */
  roomyLanes?: readonly number[];
  /** True if a narrow screen leaves out the times. */
  isShort?: boolean;
}

/** Events as bars across the days of a row. */
export function Bars({ days, bars, lanes, hueOf, linkTo, canDrag, roomyLanes = [], isShort }: BarsProperties) {
  const { shown, hidden } = fitBars(bars, lanes, days.length);
  const spansOn = (index: number) => bars.filter((bar) => bar.start <= index && index <= bar.end).map(({ span }) => span);
  return (
    <ul class="bars">
      {shown.map(({ span, start, end, lane, before, after }) => (
        <li key={span.event.id} class="bars-item" style={{ gridColumn: `${start + 1} / ${end + 2}`, gridRow: lane + 1 }}>
          <Chip {...{ span, hueOf, before, after, isShort }} isRoomy={roomyLanes.includes(lane)} resizable={canDrag} />
        </li>
      ))}
      {hidden.map(
        (count, index) =>
          count > 0 && (
            <li key={days[index]} class="bars-item" style={{ gridColumn: index + 1, gridRow: lanes }}>
              <More day={days[index]!} count={count} spans={spansOn(index)} hueOf={hueOf} linkTo={linkTo} />
            </li>
          ),
      )}
    </ul>
  );
}

interface MoreProperties {
  day: Day;
  /** Number of events that aren't shown. */
  count: number;
  /** The events to list. */
  spans: readonly EventSpan[];
  hueOf: HueOf;
  linkTo(day: Day): string;
  /** Shows only the number. */
  isShort?: boolean;
}

/** A button with the number of further events, which lists them in place. */
export function More({ day, count, spans, hueOf, linkTo, isShort }: MoreProperties) {
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const address = useAddress().search;
  // A click on an event opens that one instead.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the address changes.
  useEffect(() => setOpen(false), [address]);
  return (
    <>
      <button
        ref={button}
        type="button"
        class={`bars-more${isShort ? ' short' : ''}`}
        aria-label={`${count} more on ${dayText(day)}`}
        onClick={() => setOpen(true)}
      >
        +{count}
        {!isShort && <span class="wide-only"> more</span>}
      </button>
      {isOpen && <DayList {...{ day, spans, hueOf, linkTo }} anchor={() => button.current} onClose={() => setOpen(false)} />}
    </>
  );
}

interface DayListProperties
  extends Pick<ComponentProps<typeof Floating>, 'anchor' | 'onClose'>,
    Omit<ComponentProps<typeof Agenda>, 'from' | 'isShort'> {
  day: Day;
}

/** The events of a day, over the calendar. */
const DayList = ({ day, anchor, onClose, ...events }: DayListProperties) => (
  <Floating label={dayText(day)} anchor={anchor} onClose={onClose}>
    <Agenda {...events} from={day} isShort />
  </Floating>
);
