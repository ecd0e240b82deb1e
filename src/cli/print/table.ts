import { createColors } from 'picocolors';
import type { Entry } from '../../model/calendar.ts';
import { cut, pad, widthOf } from '../terminal/width.ts';
import { displayTextAt } from './words.ts';

/** How a table is laid out. */
export interface Layout {
  /** Columns of the terminal; undefined in a pipe, where nothing is cut. */
  width?: number;
  colour: boolean;
  /** How many records there are in all; noted below a table that shows fewer. */
  total?: number;
}

const gap = 2;
const least = 6;
/** Widths are measured over this many records; the rest of a long table is streamed. */
const measuredRows = 500;

/** A cell of a table: dates without seconds, and without time for an all-day event. */
export function tableCell(entry: Entry, path: string): string {
  const words = displayTextAt(entry, path);
  if (!/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(words)) return words;
  return entry.all_day === true && /^(start|end)_date$/.test(path) ? words.slice(0, 10) : words.slice(0, 16);
}

/** Records as aligned columns under headings. On a terminal the widest columns are cut until the lines fit. */
export async function* table(
  entries: Iterable<Entry> | AsyncIterable<Entry>,
  columns: readonly string[],
  layout: Layout,
): AsyncIterable<string> {
  const first: string[][] = [];
  let print: ((cells: readonly string[]) => string) | undefined;
  let count = 0;
  for await (const entry of entries) {
    const cells = columns.map((path) => tableCell(entry, path));
    count++;
    if (print) yield print(cells);
    else if (first.push(cells) >= measuredRows) {
      print = printerOf(first, columns, layout);
      yield heading(columns, print, layout) + first.map(print).join('');
    }
  }
  if (!count) return;
  if (!print) {
    print = printerOf(first, columns, layout);
    yield heading(columns, print, layout) + first.map(print).join('');
  }
  if (layout.width !== undefined && layout.total !== undefined && layout.total > count)
    yield `${createColors(layout.colour).dim(`${count} of ${layout.total}; --all shows all`)}\n`;
}

function heading(columns: readonly string[], print: (cells: readonly string[]) => string, layout: Layout): string {
  const text = print(columns.map((path) => path.toUpperCase()));
  return layout.colour ? `${createColors(true).bold(text.slice(0, -1))}\n` : text;
}

function printerOf(rows: readonly string[][], columns: readonly string[], layout: Layout): (cells: readonly string[]) => string {
  const wanted = columns.map((path, at) => Math.max(widthOf(path), ...rows.map((cells) => widthOf(cells[at]!))));
  const numeric = columns.map(
    (_, at) => rows.every((cells) => /^(-?\d+(\.\d+)?)?$/.test(cells[at]!)) && rows.some((cells) => cells[at] !== ''),
  );
  const firm = columns.map((_, at) => rows.every((cells) => /^[\d :-]*$/.test(cells[at]!)));
  const widths = layout.width === undefined ? wanted : fitted(wanted, firm, layout.width - gap * (columns.length - 1));
  return (cells) => {
    const padded = cells.map((cell, at) => {
      const shown = layout.width === undefined ? cell : cut(cell, widths[at]!);
      return pad(shown, widths[at]!, numeric[at] ? 'right' : 'left');
    });
    const line = padded.join(' '.repeat(gap)).trimEnd();
    return `${layout.width === undefined ? line : cut(line, layout.width)}\n`;
  };
}

/** Widths that fit the room: the widest columns shrink first, those of dates and numbers last. */
export function fitted(wanted: readonly number[], firm: readonly boolean[], room: number): number[] {
  const widths = [...wanted];
  let over = widths.reduce((sum, width) => sum + width, 0) - room;
  for (const [soft, floor] of [
    [true, least],
    [false, least],
    [true, 1],
    [false, 1],
  ] as const) {
    const places = widths.map((_, at) => at).filter((at) => (soft ? !firm[at] : true));
    while (over > 0) {
      const widest = places.reduce((best, at) => (best < 0 || widths[at]! > widths[best]! ? at : best), -1);
      if (widest < 0 || widths[widest]! <= floor) break;
      widths[widest]!--;
      over--;
    }
  }
  return widths;
}
