import type { Entry } from '../../model/calendar.ts';
import { Failure } from '../../model/error.ts';
import { csvLine, tsvLine } from '../../model/formats/csv.ts';
import type { Done, RecordChange } from '../../model/operation-types.ts';
import { startOfDay } from '../../model/time/datetime.ts';
import type { Session } from '../session.ts';
import { createColors, escapeControls } from '../terminal/safe-output.ts';
import { plainLines } from '../terminal/safe-text.ts';
import { terminalWidth } from '../terminal/terminal.ts';
import { cut, pad, widthOf, wrap } from '../terminal/width.ts';
import { valueAt } from './cells.ts';
import { cellAt, displayTextAt, type LinkedNames, moreNote } from './words.ts';

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
function tableCell(entry: Entry, path: string): string {
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

/** The columns that fit a width. Text columns are omitted first, from the right, then dates and numbers; the first text, the first column and one date stay. */
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

/** Column widths that fit. The widest columns shrink first, dates and numbers last. */
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

// Members that repeat others, or that only programs need.
const hiddenNames =
  /_details$|^(json_ld|_links|urls|meta|global_id|global_id_lineage|rest_url|modified_utc|date_utc|utc_.*|description|excerpt)$/;

/** Formats a record: a name and value per line without empty ones, followed by its long texts. */
export async function* recordLines(
  entries: Iterable<Entry> | AsyncIterable<Entry>,
  fields: readonly string[] | undefined,
  layout: Layout,
): AsyncIterable<string> {
  const colors = createColors(layout.color);
  let open = false;
  for await (const entry of entries) {
    const names =
      fields ?? Object.keys(entry).filter((name) => !hiddenNames.test(name) && displayTextAt(entry, name) !== '' && entry[name] !== false);
    const titles = names.map(escapeControls);
    const column = Math.max(...titles.map(widthOf)) + 2;
    const lines = names.flatMap((name, index) => {
      const value = tableCell(entry, name);
      const lines = layout.width === undefined ? [value] : wrap(value, Math.max(10, layout.width - column));
      return lines.map((line, at) => (at ? ' '.repeat(column) + line : colors.dim(pad(titles[index]!, column)) + line));
    });
    const texts = fields ? [] : ['excerpt', 'description'].flatMap((name) => textOf(valueAt(entry, name), layout));
    yield `${open ? '\n' : ''}${[...lines, ...texts].join('\n')}\n`;
    open = true;
  }
}

function textOf(html: unknown, layout: Layout): string[] {
  const lines = typeof html === 'string' ? plainLines(html) : [];
  if (!lines.length) return [];
  return ['', ...(layout.width === undefined ? lines : lines.flatMap((line) => wrap(line, layout.width!)))];
}

const separatedLines = (lineOf: (cells: readonly string[]) => string) =>
  async function* (
    entries: Iterable<Entry> | AsyncIterable<Entry>,
    columns: readonly string[],
    linked?: LinkedNames,
  ): AsyncIterable<string> {
    yield lineOf(columns);
    for await (const entry of entries) yield lineOf(columns.map((path) => cellAt(entry, path, linked)));
  };

/** Yields comma-separated values (RFC 4180) with headings; formulas are escaped. */
export const csv = separatedLines((cells) => csvLine(cells));
/** Yields tab-separated values with headings. */
export const tsv = separatedLines(tsvLine);

const escapes: Record<string, string> = { t: '\t', n: '\n', r: '\r', '\\': '\\', '0': '\0' };

/** Splits a template like `{{title}}\t{{start_date}}`: texts at even indexes, field paths at odd ones. Throws `bad-request` for unmatched braces. */
export function templateParts(template: string): string[] {
  const parts = template.split(/\{\{\s*([\w.-]+)\s*\}\}/);
  const texts = parts.filter((_, at) => at % 2 === 0);
  const odd = texts.find((text) => text.includes('{{') || text.includes('}}'));
  if (odd !== undefined)
    throw new Failure(
      'bad-request',
      `Unmatched braces in template: ${JSON.stringify(odd)}`,
      'Write fields as {{title}} or {{venue.city}}.',
    );
  return parts.map((part, at) => (at % 2 ? part : part.replace(/\\([tnr0\\])/g, (_, letter) => escapes[letter]!)));
}

/** Yields a line per record, with values formatted by {@link displayText}. */
export async function* fillTemplate(entries: Iterable<Entry> | AsyncIterable<Entry>, template: string): AsyncIterable<string> {
  const parts = templateParts(template);
  const end = parts.at(-1)!.endsWith('\n') ? '' : '\n';
  for await (const entry of entries) yield parts.map((part, at) => (at % 2 ? displayTextAt(entry, part) : part)).join('') + end;
}

/** Prints the records of a summary as a table, with the dates of events written out. */
export async function printChanges(session: Session, { records }: Pick<Done, 'records'>): Promise<void> {
  const changes = records.filter(({ action }) => action !== 'unchanged');
  if (!changes.length) return;
  const rows = changes.map((change) => ({ ...change, id: change.id ?? 0, dates: datesText(change) }));
  const columns = ['action', 'resource', 'name', ...(changes.some(({ start_date }) => start_date) ? ['dates'] : [])];
  for await (const line of table(rows, columns, { width: terminalWidth(session.terminal.stdout), color: false })) await session.print(line);
}

const dayFormat = new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' });
const dayText = (wall: string): string => dayFormat.format(new Date(`${wall.slice(0, 10)}T00:00:00Z`)).replace(/^(\w+),/, '$1');

/** Formats dates, e.g. `Mon 7 Jun 2027, 19:30–21:00 Europe/Berlin`. */
function datesText({ start_date: start, end_date: end, timezone, all_day }: Partial<RecordChange>): string {
  if (start === undefined || end === undefined) return '';
  const isOneDay = startOfDay(start) === startOfDay(end);
  if (all_day) return `${dayText(start)}${isOneDay ? '' : ` – ${dayText(end)}`}, all day`;
  const from = `${dayText(start)}, ${start.slice(11, 16)}`;
  const to = isOneDay ? `–${end.slice(11, 16)}` : ` – ${dayText(end)}, ${end.slice(11, 16)}`;
  return `${from}${start === end ? '' : to} ${timezone ?? ''}`.trim();
}
