import { dayText, timesText, timeText } from '../format.ts';
import { plain } from '../markup.ts';
import { pathOf } from '../record.ts';
import { type HueOf, isHidden } from './hues.ts';
import { type EventSpan, isBar } from './span.ts';

/** When an event is on, in words. */
export const whenText = ({ from, to, first, last, allDay }: EventSpan): string => {
  if (first === last) return allDay ? `${dayText(first)}, all day` : `${dayText(first)}, ${timesText(from, to)}`;
  return allDay ? `${dayText(first)} to ${dayText(last)}` : `${dayText(first)}, ${timeText(from)} to ${dayText(last)}, ${timeText(to)}`;
};

interface Properties {
  span: EventSpan;
  hueOf: HueOf;
  before?: boolean;
  after?: boolean;
  /** Whether its end can be dragged. */
  resizable?: boolean;
}

/** An event in one line of a row of days: a bar where it lasts for days, else a dot and its time. */
export function Chip({ span, hueOf, before, after, resizable }: Properties) {
  const { event, from } = span;
  const bar = isBar(span);
  const title = plain(event.title);
  const ends = `${before ? ' before' : ''}${after ? ' after' : ''}`;
  return (
    <a
      class={`chip ${bar ? 'bar' : 'dot'}${ends} ${hueOf(event)}${isHidden(event) ? ' draft' : ''}`}
      href={pathOf(event)}
      title={`${title}\n${whenText(span)}`}
      draggable={false}
      data-event={event.id}
    >
      {!bar && <span class="time">{timeText(from)}</span>}
      <bdi class="title">{title}</bdi>
      {isHidden(event) && <span class="unseen">, {event.status}</span>}
      <span class="unseen">, {whenText(span)}</span>
      {resizable && bar && !after && <span class="edge" data-edge="end" />}
    </a>
  );
}
