import { createColors } from 'picocolors';
import type { Entry } from '../../model/calendar.ts';
import { cut, pad, widthOf } from '../terminal/width.ts';
import { displayTextAt, moreNote } from './words.ts';

export interface Layout {
  /** Columns of the terminal; undefined in a pipe, where nothing is cut. */
  width?: number;
  color: boolean;
  /** Total number of records, shown below a table with fewer. */
  total?: number;
}

const gap = 2;
/** Minimum width of a text column before another column is omitted. */
const minWidth = 6;
/** Minimum width of the first text column. */
const minFirstWidth = 14;
/** Widths are measured over this many records; the rest of a table is streamed. */
const measuredRows = 500;

/** Formats a cell: dates without seconds, and without time for an all-day event. */
export function tableCell(entry: Entry, path: string): string {
  const words = displayTextAt(entry, path);
  if (!/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(words)) return words;
  return entry.all_day === true && /^(start|end)_date$/.test(path) ? words.slice(0, 10) : words.slice(0, 16);
}

/** Yields records as aligned columns. On a terminal, text is cut and columns are omitted until lines fit; dates are cut last. A note names omitted columns. */
export async function* table(
  entries: Iterable<Entry> | AsyncIterable<Entry>,
  columns: readonly string[],
  layout: Layout,
): AsyncIterable<string> {
  const first: string[][] = [];
  let plan: Plan | undefined;
  let count = 0;
  for await (const entry of entries) {
    const cells = columns.map((path) => tableCell(entry, path));
    count++;
    if (plan) yield plan.line(cells);
    else if (first.push(cells) >= measuredRows) {
      plan = planOf(first, columns, layout);
      yield heading(columns, plan, layout) + first.map(plan.line).join('');
    }
  }
  if (!count) return;
  if (!plan) {
    plan = planOf(first, columns, layout);
    yield heading(columns, plan, layout) + first.map(plan.line).join('');
  }
  if (layout.width === undefined) return;
  const notes = [
    ...(layout.total !== undefined && layout.total > count ? [moreNote(count, layout.total)] : []),
    ...(plan.missing.length ? [`omitted: ${plan.missing.join(', ')}`] : []),
  ];
  for (const note of notes) yield `${createColors(layout.color).dim(cut(note, layout.width))}\n`;
}

interface Plan {
  line(cells: readonly string[]): string;
  /** The omitted columns. */
  missing: string[];
}

function heading(columns: readonly string[], plan: Plan, layout: Layout): string {
  const text = plan.line(columns.map((path) => path.toUpperCase()));
  return layout.color ? `${createColors(true).bold(text.slice(0, -1))}\n` : text;
}

function planOf(rows: readonly string[][], columns: readonly string[], { width }: Layout): Plan {
  const fullWidths = columns.map((path, at) => Math.max(widthOf(path), ...rows.map((cells) => widthOf(cells[at]!))));
  const filled = columns.map((_, at) => rows.some((cells) => cells[at] !== ''));
  const numeric = columns.map((_, at) => filled[at] && rows.every((cells) => /^(-?\d+(\.\d+)?)?$/.test(cells[at]!)));
  const firm = columns.map((_, at) => filled[at]! && rows.every((cells) => /^[\d :-]*$/.test(cells[at]!)));
  const visible = width === undefined ? fullWidths.map((_, at) => at) : shownColumns(fullWidths, firm, width);
  const of = <T>(list: readonly T[]) => visible.map((at) => list[at]!);
  const widths = width === undefined ? fullWidths : fitted(of(fullWidths), of(firm), width - gap * (visible.length - 1));
  return {
    line(cells) {
      const padded = of(cells).map((cell, at) =>
        pad(width === undefined ? cell : cut(cell, widths[at]!), widths[at]!, numeric[visible[at]!] ? 'right' : 'left'),
      );
      const line = padded.join(' '.repeat(gap)).trimEnd();
      return `${width === undefined ? line : cut(line, width)}\n`;
    },
    missing: columns.filter((_, at) => !visible.includes(at)),
  };
}

/** Returns the columns that fit a width. Text columns are omitted first, from the right, then dates and numbers; the first text, the first column and one date stay. */
export function shownColumns(fullWidths: readonly number[], firm: readonly boolean[], width: number): number[] {
  const firstText = firm.indexOf(false);
  let visible = fullWidths.map((_, at) => at);
  const minWidthOf = (at: number) => (firm[at] ? fullWidths[at]! : Math.min(fullWidths[at]!, at === firstText ? minFirstWidth : minWidth));
  const isTooWide = () => visible.reduce((sum, at) => sum + minWidthOf(at) + gap, -gap) > width;
  while (isTooWide()) {
    const texts = visible.filter((at) => !firm[at] && at !== firstText && at > 0);
    const others = visible.filter((at) => firm[at] && at > 0).slice(1);
    const out = texts.at(-1) ?? others.at(-1);
    if (out === undefined) break;
    visible = visible.filter((at) => at !== out);
  }
  return visible;
}

/** Returns column widths that fit. The widest columns shrink first, dates and numbers last. */
export function fitted(fullWidths: readonly number[], firm: readonly boolean[], room: number): number[] {
  const widths = [...fullWidths];
  let over = widths.reduce((sum, width) => sum + width, 0) - room;
  for (const [soft, floor] of [
    [true, minWidth],
    [false, minWidth],
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
