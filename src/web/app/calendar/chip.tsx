import { dayText, timesText, timeText } from '../format.ts';
import { plain } from '../markup.ts';
import { statusText } from '../record.ts';
import { useEventAddress } from './event-address.ts';
import { type HueOf, isUnpublished } from './hues.ts';
import { type EventSpan, isBar } from './span.ts';

/** Formats the date and time of an event. */
export const whenText = ({ from, to, first, last, allDay }: EventSpan): string => {
  if (first === last) return allDay ? `${dayText(first)}, all day` : `${dayText(first)}, ${timesText(from, to)}`;
  return allDay ? `${dayText(first)} to ${dayText(last)}` : `${dayText(first)}, ${timeText(from)} to ${dayText(last)}, ${timeText(to)}`;
};

interface Properties {
  span: EventSpan;
  hueOf: HueOf;
  before?: boolean;
  after?: boolean;
  /** Shows a handle to drag the end. */
  resizable?: boolean;
}

/** An event in a row of days: a bar if it lasts for days, otherwise a dot with the start time. */
export function Chip({ span, hueOf, before, after, resizable }: Properties) {
  const addressOf = useEventAddress();
  const { event, from } = span;
  const bar = isBar(span);
  const title = plain(event.title);
  const edges = `${before ? ' before' : ''}${after ? ' after' : ''}`;
  return (
    <a
      class={`chip ${bar ? 'bar' : 'dot'}${edges} ${hueOf(event)}${isUnpublished(event) ? ' draft' : ''}`}
      href={addressOf(event)}
      title={`${title}\n${whenText(span)}`}
      draggable={false}
      data-event={event.id}
    >
      <span class="text">
        {!bar && <span class="time">{timeText(from)}</span>} <bdi class="title">{title}</bdi>
      </span>
      {isUnpublished(event) && <span class="unseen">, {statusText(event)}</span>}
      <span class="unseen">, {whenText(span)}</span>
      {resizable && bar && !before && <span class="edge start" data-edge="start" />}
      {resizable && bar && !after && <span class="edge" data-edge="end" />}
    </a>
  );
}
