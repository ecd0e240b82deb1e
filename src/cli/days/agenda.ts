import { type Day, earlier, later, plusDays } from '../../model/time/days.ts';
import { pick } from '../print/cells.ts';
import { toJson } from '../print/json.ts';
import { createColors } from '../terminal/safe-output.ts';
import { lineText, type Segment, type TerminalColor } from '../terminal/styled-line.ts';
import { pad, widthOf } from '../terminal/width.ts';
import { type Display, today } from './display.ts';
import { dayText } from './locale.ts';
import type { Range } from './range.ts';
import { dayCount, fitTitle, onDay, type Span, timeOn } from './span.ts';

/** The events of a range by day; days without events are left out. */
interface Agenda {
  range: Range;
  days: { day: Day; spans: Span[] }[];
}

/** Formats an agenda. `fields` selects fields of JSON. */
type AgendaFormatter = (agenda: Agenda, display: Display, fields?: readonly string[]) => Iterable<string>;

export const agendaFormats = ['text', 'markdown', 'html', 'json'] as const;
export type AgendaFormat = (typeof agendaFormats)[number];

export function agendaOf(spans: readonly Span[], range: Range): Agenda {
  const days = new Set<Day>();
  for (const span of spans) {
    const last = earlier(span.last, range.to);
    for (let day = later(span.first, range.from); day <= last; day = plusDays(day, 1)) days.add(day);
  }
  return { range, days: [...days].sort().map((day) => ({ day, spans: onDay(spans, day) })) };
}

function emptyText({ from, to }: Range, { locale }: Display): string {
  return from === to ? `No events on ${dayText(from, locale)}.` : `No events from ${dayText(from, locale)} to ${dayText(to, locale)}.`;
}

function* text({ range, days }: Agenda, display: Display): Iterable<string> {
  if (!days.length) yield `${emptyText(range, display)}\n`;
  const paint = createColors(display.color);
  for (const [at, { day, spans }] of days.entries()) {
    const heading = dayText(day, display.locale) + (day === today(display) ? ', today' : '');
    yield `${at ? '\n' : ''}${paint.bold(heading)}\n`;
    const timeWidth = Math.max(11, ...spans.map((span) => widthOf(timeWithZone(span, day, display))));
    const width = display.width ?? Number.POSITIVE_INFINITY;
    for (const span of spans)
      yield `${lineText(eventLine(span, day, { lead: '  ', timeWidth, width }, display), display.colorLevel ?? 0, display.color)}\n`;
  }
}

/** The address of an event's page, if it is safe in a link. */
const linkOf = ({ entry: { url } }: Span): string | undefined =>
  typeof url === 'string' && /^https?:\/\/[^\s<>"()]+$/i.test(url) ? url : undefined;

const escapeMarkdown = (words: string): string => words.replace(/[\\`*_[\]<>&#|~]/g, '\\$&');

function* markdown({ range, days }: Agenda, display: Display): Iterable<string> {
  if (!days.length) yield `${emptyText(range, display)}\n`;
  for (const [at, { day, spans }] of days.entries()) {
    yield `${at ? '\n' : ''}## ${dayText(day, display.locale)}\n\n`;
    for (const span of spans) {
      const [title, link] = [escapeMarkdown(titleOn(span, day)), linkOf(span)];
      yield `- **${timeWithZone(span, day, display)}** ${link ? `[${title}](${link})` : title}${span.place && `, ${escapeMarkdown(span.place)}`}\n`;
    }
  }
}

const escapeHtml = (words: string): string => words.replace(/[&<>"']/g, (each) => `&#${each.charCodeAt(0)};`);

function* html({ range, days }: Agenda, display: Display): Iterable<string> {
  if (!days.length) yield `<p>${escapeHtml(emptyText(range, display))}</p>\n`;
  for (const { day, spans } of days) {
    yield `<h2>${escapeHtml(dayText(day, display.locale))}</h2>\n<ul>\n`;
    for (const span of spans) {
      const [title, link] = [escapeHtml(titleOn(span, day)), linkOf(span)];
      const place = span.place && `, ${escapeHtml(span.place)}`;
      yield `<li><strong>${escapeHtml(timeWithZone(span, day, display))}</strong> ${link ? `<a href="${escapeHtml(link)}">${title}</a>` : title}${place}</li>\n`;
    }
    yield '</ul>\n';
  }
}

function* json({ days }: Agenda, _display: Display, fields?: readonly string[]): Iterable<string> {
  const output = days.map(({ day, spans }) => ({ date: day, events: spans.map(({ entry }) => (fields ? pick(entry, fields) : entry)) }));
  yield `${toJson(output, 2)}\n`;
}

export const agendaFormatters: Record<AgendaFormat, AgendaFormatter> = { text, markdown, html, json };

const cyan: TerminalColor = [36, 37, 0, 175, 175];

/** Formats the time of an event on a day, with its zone if that differs from the terminal's. */
export const timeWithZone = (span: Span, day: Day, { locale }: Pick<Display, 'locale'>): string =>
  [timeOn(span, day, locale), span.zone].filter(Boolean).join(' ');

/** Formats the title of an event on a day: with the number of the day, and the status unless it is published. */
function titleOn(span: Span, day: Day): string {
  const days = dayCount(span, day);
  const status = span.entry.status === 'publish' || span.entry.status === undefined ? '' : ` [${String(span.entry.status)}]`;
  return span.title + (days && ` (${days})`) + status;
}

/** The line of an event in a list: lead, time in the color of its category, title and place. */
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
