import { Box } from 'ink';
import type { Entry } from '../../model/resource.ts';
import { dayText } from '../look/locale.ts';
import type { Look } from '../look/look.ts';
import { isLong, spanOf } from '../look/span.ts';
import { linesOf } from '../print/plain.ts';
import { wordsAt } from '../print/rows.ts';
import { pad, wrap } from '../print/width.ts';
import { Tint } from './tint.tsx';

const label = 12;

/** When an event is, in words: its days, its times, its zone. */
export function whenText(entry: Entry, look: Look): string {
  const span = spanOf(entry, look);
  if (!span) return '';
  const [from, to] = [span.from, span.to].map((wall) => wall.split(' ')[1]!.slice(0, 5));
  const zone = look.tz ?? String(entry.timezone ?? '');
  const [first, last] = [dayText(span.first, look.locale), dayText(span.last, look.locale)];
  if (span.allDay) return isLong(span) ? `${first} – ${last}, all day` : `${first}, all day`;
  return isLong(span) ? `${first} ${from} – ${last} ${to}, ${zone}` : `${first} ${from === to ? from : `${from}–${to}`}, ${zone}`;
}

/** The lines of an event's detail. */
export function detailLines(entry: Entry, look: Look, columns: number): string[] {
  const rows: [string, string][] = [
    ['when', whenText(entry, look)],
    [
      'where',
      [wordsAt(entry, 'venue.venue') || wordsAt(entry, 'venue'), wordsAt(entry, 'venue.address'), wordsAt(entry, 'venue.city')]
        .filter(Boolean)
        .join(', '),
    ],
    ...(['organizer', 'cost', 'categories', 'tags'] as const).map((name): [string, string] => [name, wordsAt(entry, name)]),
    // An event without a page of its own answers its address in the calendar.
    ['website', entry.website === entry.url ? '' : wordsAt(entry, 'website')],
    ['status', wordsAt(entry, 'status')],
    ['slug', wordsAt(entry, 'slug')],
    ['id', String(entry.id)],
  ];
  const filled = rows.filter(([, value]) => value !== '');
  const room = Math.max(10, columns - label);
  const lines = filled.flatMap(([name, value]) => wrap(value, room).map((line, at) => pad(at ? '' : name, label) + line));
  const texts = [entry.excerpt, entry.description].map((text) => (typeof text === 'string' ? linesOf(text) : []));
  return [...lines, ...texts.flatMap((text) => (text.length ? ['', ...text.flatMap((line) => wrap(line, columns))] : []))];
}

/** An event with all that people want to know of it; scrolls. */
export function DetailView({
  entry,
  scroll,
  look,
  columns,
  height,
}: {
  entry: Entry;
  scroll: number;
  look: Look;
  columns: number;
  height: number;
}) {
  const lines = detailLines(entry, look, columns);
  const from = Math.max(0, Math.min(scroll, lines.length - height));
  return (
    <Box flexDirection="column">
      {lines.slice(from, from + height).map((line, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines have no other identity
        <Tint key={at}>{line || ' '}</Tint>
      ))}
    </Box>
  );
}
