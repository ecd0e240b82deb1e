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
/** What a text is cut to before another column is left out. */
const least = 6;
/** The same for the first text of a line, which says what the line is about. */
const leastOfFirst = 14;
/** Widths are measured over this many records; the rest of a long table is streamed. */
const measuredRows = 500;

/** A cell of a table: dates without seconds, and without time for an all-day event. */
export function tableCell(entry: Entry, path: string): string {
  const words = displayTextAt(entry, path);
  if (!/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(words)) return words;
  return entry.all_day === true && /^(start|end)_date$/.test(path) ? words.slice(0, 10) : words.slice(0, 16);
}

/** Records as aligned columns under headings. On a terminal texts are cut until the lines fit, and columns left out, which is noted, before dates are. */
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
    ...(layout.total !== undefined && layout.total > count ? [`${count} of ${layout.total}; --all shows all`] : []),
    ...(plan.missing.length ? [`no room for ${plan.missing.join(', ')}`] : []),
  ];
  for (const note of notes) yield `${createColors(layout.colour).dim(cut(note, layout.width))}\n`;
}

/** How the lines of a table are made. */
interface Plan {
  /** A line of the cells of all columns. */
  line(cells: readonly string[]): string;
  /** The columns that are left out. */
  missing: string[];
}

function heading(columns: readonly string[], plan: Plan, layout: Layout): string {
  const text = plan.line(columns.map((path) => path.toUpperCase()));
  return layout.colour ? `${createColors(true).bold(text.slice(0, -1))}\n` : text;
}

function planOf(rows: readonly string[][], columns: readonly string[], { width }: Layout): Plan {
  const wanted = columns.map((path, at) => Math.max(widthOf(path), ...rows.map((cells) => widthOf(cells[at]!))));
  const filled = columns.map((_, at) => rows.some((cells) => cells[at] !== ''));
  const numeric = columns.map((_, at) => filled[at] && rows.every((cells) => /^(-?\d+(\.\d+)?)?$/.test(cells[at]!)));
  const firm = columns.map((_, at) => filled[at]! && rows.every((cells) => /^[\d :-]*$/.test(cells[at]!)));
  const shown = width === undefined ? wanted.map((_, at) => at) : shownColumns(wanted, firm, width);
  const of = <T>(list: readonly T[]) => shown.map((at) => list[at]!);
  const widths = width === undefined ? wanted : fitted(of(wanted), of(firm), width - gap * (shown.length - 1));
  return {
    line(cells) {
      const padded = of(cells).map((cell, at) =>
        pad(width === undefined ? cell : cut(cell, widths[at]!), widths[at]!, numeric[shown[at]!] ? 'right' : 'left'),
      );
      const line = padded.join(' '.repeat(gap)).trimEnd();
      return `${width === undefined ? line : cut(line, width)}\n`;
    },
    missing: columns.filter((_, at) => !shown.includes(at)),
  };
}

/** The columns that a width has room for: from the right texts give way, then dates and numbers; a first text, a first column and a date stay. */
export function shownColumns(wanted: readonly number[], firm: readonly boolean[], width: number): number[] {
  const firstText = firm.indexOf(false);
  let shown = wanted.map((_, at) => at);
  const leastOf = (at: number) => (firm[at] ? wanted[at]! : Math.min(wanted[at]!, at === firstText ? leastOfFirst : least));
  const isTooWide = () => shown.reduce((sum, at) => sum + leastOf(at) + gap, -gap) > width;
  while (isTooWide()) {
    const texts = shown.filter((at) => !firm[at] && at !== firstText && at > 0);
    const others = shown.filter((at) => firm[at] && at > 0).slice(1);
    const out = texts.at(-1) ?? others.at(-1);
    if (out === undefined) break;
    shown = shown.filter((at) => at !== out);
  }
  return shown;
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
