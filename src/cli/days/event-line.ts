import type { Segment, TerminalColor } from '../terminal/styled-line.ts';
import { pad, widthOf } from '../terminal/width.ts';
import type { Day } from './day.ts';
import type { Display } from './display.ts';
import { dayCount, type Span, timeOn } from './span.ts';
import { fitTitle } from './title.ts';

const cyan: TerminalColor = [36, 37, 0, 175, 175];

/** Formats the time of an event on a day, with its zone if that differs from the terminal's. */
export const timeWithZone = (span: Span, day: Day, { locale }: Pick<Display, 'locale'>): string =>
  [timeOn(span, day, locale), span.zone].filter(Boolean).join(' ');

/** Formats the title of an event on a day: with the number of the day, and the status unless it is published. */
export function titleOn(span: Span, day: Day): string {
  const days = dayCount(span, day);
  const status = span.entry.status === 'publish' || span.entry.status === undefined ? '' : ` [${String(span.entry.status)}]`;
  return span.title + (days && ` (${days})`) + status;
}

/** Returns the line of an event in a list: lead, time in the color of its category, title and place. */
export function eventLine(
  span: Span,
  day: Day,
  { lead, timeWidth, width, isSelected = false }: { lead: string; timeWidth: number; width: number; isSelected?: boolean },
  display: Pick<Display, 'locale' | 'colorOf'>,
): Segment[] {
  const when = `${lead}${pad(timeWithZone(span, day, display), timeWidth)}  `;
  const { title, place } = fitTitle(titleOn(span, day), span.place, width - widthOf(when));
  const target = { day, event: span.entry.id, inverse: isSelected };
  const rest = isSelected && Number.isFinite(width) ? ' '.repeat(Math.max(0, width - widthOf(when) - widthOf(title) - widthOf(place))) : '';
  return [
    { text: when, color: display.colorOf?.(span.entry) ?? cyan, ...target },
    { text: title, ...target },
    { text: place + rest, dim: !isSelected, ...target },
  ];
}
