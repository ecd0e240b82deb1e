import { type CalendarDay, toPercent } from '../../days.ts';
import { timesText } from '../../format.ts';
import { plain } from '../../markup.ts';
import { statusText, venuesOf } from '../../record.ts';
import type { Block, blocksOf } from '../cascade.ts';
import { whenText } from '../chip.tsx';
import { useEventAddress } from '../event-address.ts';
import { type HueOf, isUnpublished } from '../hues.ts';
import { More } from '../more.tsx';

interface BlocksProperties extends ReturnType<typeof blocksOf> {
  day: CalendarDay;
  hueOf: HueOf;
  linkTo(day: CalendarDay): string;
  resizable: boolean;
}

/** The events of a column, and the number of those that don't fit. */
export const Blocks = ({ day, blocks, crowds, hueOf, linkTo, resizable }: BlocksProperties) => (
  <ul>
    {blocks.map((block) => (
      <BlockItem key={block.span.event.id} {...{ block, hueOf, resizable }} />
    ))}
    {crowds.map(({ from, spans }) => (
      <li key={`more ${from}`} class="crowd" style={{ top: toPercent(from) }}>
        <More {...{ day, spans, hueOf, linkTo }} count={spans.length} />
      </li>
    ))}
  </ul>
);

function BlockItem({ block, hueOf, resizable }: { block: Block; hueOf: HueOf; resizable: boolean }) {
  const addressOf = useEventAddress();
  const { span, from, to, column, columns, width, visible, before, after, beside } = block;
  const { event } = span;
  const title = plain(event.title);
  const venue = venuesOf(event).map((each) => plain(each.venue))[0];
  const minutes = visible.to - from;
  const size = minutes < 45 ? 'low' : minutes < 75 ? 'middle' : 'high';
  const available = beside ? '100% - var(--crowd-width)' : '100%';
  const position = {
    top: toPercent(from),
    height: toPercent(to - from),
    left: `calc((${available}) * ${column / columns})`,
    width: `calc((${available}) * ${width / columns})`,
    '--column': column,
    '--minutes': minutes,
    '--visible-width': visible.width / width,
    '--visible-height': minutes / (to - from),
  };
  return (
    <li style={position}>
      <a
        class={`block ${size} ${hueOf(event)}${isUnpublished(event) ? ' draft' : ''}`}
        href={addressOf(event)}
        title={`${title}\n${whenText(span)}`}
        draggable={false}
        data-event={event.id}
      >
        <span class="text">
          <bdi class="title">{title}</bdi>
          <span class="time" aria-hidden="true">
            {before ? `Until ${timesText(span.to, span.to)}` : timesText(span.from, span.to)}
          </span>
          {venue && (
            <bdi class="place" aria-hidden="true">
              {venue}
            </bdi>
          )}
        </span>
        {isUnpublished(event) && <span class="unseen">, {statusText(event)}</span>}
        <span class="unseen">, {whenText(span)}</span>
        {resizable && !before && <span class="edge start" data-edge="start" />}
        {resizable && !after && <span class="edge" data-edge="end" />}
      </a>
    </li>
  );
}
