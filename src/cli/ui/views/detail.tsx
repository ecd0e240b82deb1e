import { Box } from 'ink';
import type { Entry } from '../../../model/calendar.ts';
import type { Display } from '../../days/display.ts';
import { dayText } from '../../days/locale.ts';
import { isMultiDay, spanOf } from '../../days/span.ts';
import { displayTextAt } from '../../print/words.ts';
import { plainLines } from '../../terminal/safe-text.ts';
import { pad, wrap } from '../../terminal/width.ts';
import { ColoredText } from './text.tsx';

const label = 12;

/** The days, times and zone of an event, for people. */
export function whenText(entry: Entry, display: Display): string {
  const span = spanOf(entry, display);
  if (!span) return '';
  const [from, to] = [span.from, span.to].map((wall) => wall.split(' ')[1]!.slice(0, 5));
  const zone = display.tz ?? String(entry.timezone ?? '');
  const [first, last] = [dayText(span.first, display.locale), dayText(span.last, display.locale)];
  if (span.allDay) return isMultiDay(span) ? `${first} – ${last}, all day` : `${first}, all day`;
  return isMultiDay(span) ? `${first} ${from} – ${last} ${to}, ${zone}` : `${first} ${from === to ? from : `${from}–${to}`}, ${zone}`;
}

/** The lines of an event's detail. */
function detailLines(entry: Entry, display: Display, columns: number): string[] {
  const rows: [string, string][] = [
    ['when', whenText(entry, display)],
    [
      'where',
      [
        displayTextAt(entry, 'venue.venue') || displayTextAt(entry, 'venue'),
        displayTextAt(entry, 'venue.address'),
        displayTextAt(entry, 'venue.city'),
      ]
        .filter(Boolean)
        .join(', '),
    ],
    ...(['organizer', 'cost', 'categories', 'tags'] as const).map((name): [string, string] => [name, displayTextAt(entry, name)]),
    // The API answers the event's own address as the website of an event that has none.
    ['website', entry.website === entry.url ? '' : displayTextAt(entry, 'website')],
    ['status', displayTextAt(entry, 'status')],
    ['slug', displayTextAt(entry, 'slug')],
    ['id', String(entry.id)],
  ];
  const filled = rows.filter(([, value]) => value !== '');
  const room = Math.max(10, columns - label);
  const lines = filled.flatMap(([name, value]) => wrap(value, room).map((line, at) => pad(at ? '' : name, label) + line));
  const texts = [entry.excerpt, entry.description].map((text) => (typeof text === 'string' ? plainLines(text) : []));
  return [...lines, ...texts.flatMap((text) => (text.length ? ['', ...text.flatMap((line) => wrap(line, columns))] : []))];
}

/** The details of an event, scrollable. */
export function DetailView({
  entry,
  scroll,
  display,
  columns,
  height,
}: {
  entry: Entry;
  scroll: number;
  display: Display;
  columns: number;
  height: number;
}) {
  const lines = detailLines(entry, display, columns);
  const from = Math.max(0, Math.min(scroll, lines.length - height));
  return (
    <Box flexDirection="column">
      {lines
        .map((text, number) => ({ text, number }))
        .slice(from, from + height)
        .map(({ text, number }) => (
          <ColoredText key={number}>{text || ' '}</ColoredText>
        ))}
    </Box>
  );
}
