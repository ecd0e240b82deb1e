import type { Entry } from '../../../model/calendar.ts';
import type { Display } from '../../days/display.ts';
import { dayText, timeText } from '../../days/locale.ts';
import { isMultiDay, spanOf } from '../../days/span.ts';
import { displayTextAt } from '../../print/words.ts';
import { plainLines } from '../../terminal/safe-text.ts';
import type { Line } from '../../terminal/styled-line.ts';
import { pad, wrap } from '../../terminal/width.ts';

const label = 12;

/** Formats the days, times and zone of an event. */
export function whenText(entry: Entry, display: Display): string {
  const span = spanOf(entry, display);
  if (!span) return '';
  const [from, to] = [span.from, span.to].map((wall) => timeText(wall, display.locale));
  const zone = display.tz ?? String(entry.timezone ?? '');
  const [first, last] = [dayText(span.first, display.locale), dayText(span.last, display.locale)];
  if (span.allDay) return isMultiDay(span) ? `${first} – ${last}, all day` : `${first}, all day`;
  return isMultiDay(span) ? `${first} ${from} – ${last} ${to}, ${zone}` : `${first} ${from === to ? from : `${from}–${to}`}, ${zone}`;
}

export function detailLines(entry: Entry, display: Display, columns: number): Line[] {
  const rows: [string, string][] = [
    ['When', whenText(entry, display)],
    [
      'Where',
      [
        displayTextAt(entry, 'venue.venue') || displayTextAt(entry, 'venue'),
        displayTextAt(entry, 'venue.address'),
        displayTextAt(entry, 'venue.city'),
      ]
        .filter(Boolean)
        .join(', '),
    ],
    ...(['organizer', 'cost', 'categories', 'tags'] as const).map((name): [string, string] => [
      name[0]!.toUpperCase() + name.slice(1),
      displayTextAt(entry, name),
    ]),
    // For an event without a website, the API returns the event's own URL.
    ['Website', entry.website === entry.url ? '' : displayTextAt(entry, 'website')],
    ['Status', displayTextAt(entry, 'status')],
    ['Slug', displayTextAt(entry, 'slug')],
    ['ID', String(entry.id)],
  ];
  const rowsWithValue = rows.filter(([, value]) => value !== '');
  const room = Math.max(10, columns - label);
  const lines = rowsWithValue.flatMap(([name, value]) => wrap(value, room).map((line, at) => pad(at ? '' : name, label) + line));
  const texts = [entry.excerpt, entry.description].map((text) => (typeof text === 'string' ? plainLines(text) : []));
  const all = [...lines, ...texts.flatMap((text) => (text.length ? ['', ...text.flatMap((line) => wrap(line, columns))] : []))];
  return all.map((text) => [{ text }]);
}
