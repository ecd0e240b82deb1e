import type { Resource, ResourceName } from '../../model/calendar.ts';
import { DataError, type Failure, invalidParams, type Problem } from '../../model/error.ts';
import { quoted } from '../../model/fields/coerce.ts';
import type { CurrencySettings } from '../../model/fields/cost-format.ts';
import type { Field, TypedValues } from '../../model/fields/field.ts';
import { changedCost } from '../../model/fields/typed-cost.ts';
import { columnsFrom, headingFields, isHeadingRow, type TableColumn, type TableColumns } from '../../model/formats/columns.ts';
import { type CsvRow, csvRows, unescapeFormula, unescapeTsv } from '../../model/formats/csv.ts';
import { decodeChunks } from '../../model/formats/decode.ts';
import { headingsOf, originOf, type TableOrigin } from '../../model/formats/headings.ts';
import type { TableHeadings } from '../../model/operation-types.ts';
import type { Resources } from '../../model/resources/declared.ts';
import { readDate } from '../../model/time/parse-date.ts';
import { isTimeOnly } from '../../model/time/span.ts';
import { type DateOrder, DateOrderEvidence, type Evidence } from '../../model/time/typed/digit-date.ts';
import { weekdayFault } from '../../model/time/typed/faults.ts';
import { inYear, isYearless } from '../../model/time/typed/years.ts';
import type { ImportJob, ImportOptions } from './options.ts';
import type { Source } from './source.ts';

/** A CSV file whose headings were read. */
export interface Table extends TableColumns {
  rows: Iterable<CsvRow>;
  /** Line of the headings, from 1. */
  line: number;
  /** Rows above the headings. */
  above: readonly CsvRow[];
  origin: TableOrigin | undefined;
  /** The error for headings that no field has, if the other columns can be read. */
  fault?: DataError;
}

/** Opens a table and reads its headings. Throws a DataError if these are not enough. */
export function openTable({ source, options, local }: Pick<ImportJob, 'source' | 'options' | 'local'>, name: ResourceName): Table {
  const resource: Resource = local.resources[name];
  const { headings, delimiter, ...table } = readHeadings(source, options, resource, local.resources);
  const rows =
    delimiter === '\t' && headings.every((heading) => headingsOf(resource).includes(heading)) ? listedRows(table.rows) : table.rows;
  const opened = (lenient = options.lenient) => ({
    ...columnsFrom(headings, resource, { ...options, lenient }, local.resources),
    ...{ ...table, rows, origin: originOf(headings) },
  });
  try {
    return opened();
  } catch (error) {
    if (!(error instanceof DataError)) throw error;
    const fault = new DataError(`line ${table.line}`, error.reason, error.hint);
    try {
      return { ...opened(true), fault };
    } catch {
      throw fault;
    }
  }
}

/** The headings of a table and their fields. Throws a DataError if they can't be read. */
export function headingsIn({ source, options, local }: Pick<ImportJob, 'source' | 'options' | 'local'>, name: ResourceName): TableHeadings {
  const resource: Resource = local.resources[name];
  const { headings, rows } = readHeadings(source, options, resource, local.resources);
  rows[Symbol.iterator]().return?.();
  return headingFields(headings, resource, options.map ?? new Map(), local.resources);
}

/** Yields the rows of tab-separated values that `list` printed: their headings are names of fields. */
function* listedRows(rows: Iterable<CsvRow>): Generator<CsvRow> {
  for (const row of rows) yield { ...row, cells: row.cells.map(unescapeTsv) };
}

/** Maximum number of rows in which the headings are searched. */
const maxRowsAbove = 10;

interface HeadingRow extends Pick<Table, 'line' | 'above' | 'rows'> {
  headings: string[];
  delimiter: string;
}

/** Reads the headings of a CSV file: the first row that names all fields a table needs, below a title, else the first row. */
export function readHeadings(source: Source, options: ImportOptions, resource: Resource, all: Resources): HeadingRow {
  const { encoding, delimiter, skip_rows: skipRows } = options;
  const firstLine = (skipRows ?? 0) + 1;
  const rowsBy = (sign: string | undefined) => csvRows(decodeChunks(source.chunks(), encoding), sign, firstLine);
  // A title above the headings may have another delimiter, or none.
  const delimiters = delimiter === undefined ? [undefined, ';', '\t', ',', '|'] : [delimiter];
  for (const sign of skipRows === undefined ? delimiters : []) {
    const row = headingRowIn(rowsBy(sign), (cells) => isHeadingRow(cells, resource, options.map ?? new Map(), all));
    if (row) return row;
  }
  const rows = rowsBy(delimiter);
  const first = rows.next();
  if (first.done) throw new DataError(`line ${firstLine}`, 'the file is empty; expected a heading row');
  return { headings: first.value.cells, line: first.value.line, delimiter: first.value.delimiter, above: [], rows };
}

/** Undefined if none of the first rows is the one with the headings. */
function headingRowIn(rows: Generator<CsvRow>, isHeadings: (cells: readonly string[]) => boolean): HeadingRow | undefined {
  const above: CsvRow[] = [];
  try {
    while (above.length < maxRowsAbove) {
      const { done, value } = rows.next();
      if (done) break;
      if (isHeadings(value.cells)) return { headings: value.cells, line: value.line, delimiter: value.delimiter, above, rows };
      above.push(value);
    }
  } catch (error) {
    // Quotes can be invalid with another delimiter only.
    if (!(error instanceof DataError)) throw error;
  }
  rows.return(undefined);
  return undefined;
}

const isEmptyRow = ({ cells }: CsvRow): boolean => cells.every((cell) => cell.trim() === '');

/** Yields the rows of a table with whether each is the last one, and adds notes about others: empty ones and those above the headings. */
export function* filledRows({ rows, above, line }: Table, notes: Problem[]): Generator<[row: CsvRow, isLast: boolean]> {
  const title = above.flatMap(({ cells }) => cells).find((cell) => cell.trim() !== '');
  if (title !== undefined) {
    const count = above.length === 1 ? 'a row' : `${above.length} rows`;
    const reason = `read the headings from here; skipped ${count} above: ${quoted(title.trim())}${above.length > 1 ? ' …' : ''}`;
    notes.push({ at: `line ${line}`, reason });
  }
  const empty: number[] = [];
  let before: CsvRow | undefined;
  for (const row of rows) {
    if (isEmptyRow(row)) empty.push(row.line);
    else {
      if (before) yield [before, false];
      before = row;
    }
  }
  if (before) yield [before, true];
  if (empty.length)
    notes.push({ at: `line ${empty[0]}`, reason: `skipped ${empty.length > 1 ? `${empty.length} empty rows` : 'an empty row'}` });
}

/** True if the last row of a table is a sum or a remark: it has neither title nor date. */
export const isSumRow = ({ cells }: CsvRow, columns: readonly TableColumn[]): boolean =>
  columns.every(({ name }, at) => (name !== 'title' && name !== 'start_date') || (cells[at] ?? '').trim() === '');

/** The order of day, month and year in a table, with `hasYear` also of its dates without a year; undefined if its dates don't depend on it. Throws a DataError if it is contradictory or ambiguous. */
export function orderIn({ columns, rows, origin }: Table, hasYear: boolean): DateOrder | undefined {
  const evidence = new DateOrderEvidence(hasYear);
  const dates = columns.flatMap(({ field }, at) => (field?.control === 'date' ? [at] : []));
  for (const { cells, line } of rows) for (const at of dates) evidence.add(unescapeFormula(cells[at] ?? ''), line);
  const { possible, ambiguous } = evidence;
  const [only, ...more] = possible;
  if (only === undefined)
    throw orderError(
      evidence.contradiction,
      'the dates have different orders of day and month',
      'Correct them, or skip the others with --date-order dmy --lenient.',
    );
  if (!more.length) return only;
  if (!ambiguous.length) return undefined;
  if (origin === 'google' && possible.includes('mdy')) return 'mdy';
  throw orderError(ambiguous, 'the order of day and month is ambiguous', 'Pass --date-order dmy, --date-order mdy or --date-order ymd.');
}

function orderError(cells: readonly Evidence[], problem: string, hint: string): DataError {
  const examples = cells.map(({ cell, line }) => `${JSON.stringify(cell.trim())} (line ${line})`).join(', ');
  return new DataError(`line ${cells[0]!.line}`, `${problem}: ${examples}`, hint);
}

export const withoutYear = (name: string, cell: string): Failure =>
  invalidParams({ [name]: { reason: `${JSON.stringify(cell)} has no year. Write one, or pass --year for all rows.` } });

/** Rewrites the cells of a table and counts those with another meaning. */
export class TableCells {
  /** Numbers of rewritten cells by kind. */
  readonly rewritten: Record<string, number> = {};

  /** `order` is `none` for an export, whose cells are exact. `year` is that of dates without one. With `isVerbose`, every rewritten cell is noted. */
  constructor(
    private readonly order: DateOrder | 'none' | undefined,
    private readonly year: number | undefined,
    private readonly onNote: (reason: string) => void,
    private readonly isVerbose = false,
    private readonly currency?: CurrencySettings,
  ) {}

  /** A cell in a form that its field reads. Throws `rest_invalid_param` for a date in another order. */
  readonly rewrite = (field: Field, cell: string, isTime: boolean): string => {
    if (this.order === 'none') return cell;
    if (field.typed) return this.#typed(field.name, cell, field.typed(cell));
    const rewritten = field.cell.rewrite!(cell, this.order, isTime);
    if (rewritten === undefined)
      throw invalidParams({ [field.name]: { reason: `${JSON.stringify(cell)} is not a date in the order ${this.order}` } });
    const text = this.year === undefined ? rewritten : inYear(rewritten, this.year);
    if (isYearless(text)) throw withoutYear(field.name, cell);
    const fault = weekdayFault(text);
    if (fault) throw invalidParams({ [field.name]: { reason: `${JSON.stringify(cell)} ${fault.reason}. ${fault.hint}` } });
    if (text !== cell && !isSameDate(cell, text)) this.#count(isTimeOnly(text) ? 'times' : 'dates', field.name, cell, JSON.stringify(text));
    return text;
  };

  /** Formats typed values as a cell. Values that differ from what was meant are noted; without any, throws `rest_invalid_param`. */
  #typed(name: string, cell: string, { list, reason }: TypedValues): string {
    const text = JSON.stringify(list);
    if (reason && !list.length) throw invalidParams({ [name]: { reason: `${JSON.stringify(cell)} ${reason}` } });
    const note = cell.startsWith('[') ? undefined : changedCost(cell, list, { reason }, this.currency);
    if (note) this.onNote(`${name} ${note}`);
    if (text !== JSON.stringify([cell]) && !cell.startsWith('[')) this.#count('prices', name, cell, note ? undefined : text);
    return text;
  }

  #count(kind: string, name: string, cell: string, text: string | undefined): void {
    this.rewritten[kind] = (this.rewritten[kind] ?? 0) + 1;
    if (this.isVerbose && text !== undefined) this.onNote(`${name} ${JSON.stringify(cell)} was read as ${text}`);
  }
}

function isSameDate(cell: string, text: string): boolean {
  const [before, after] = [readDate(cell, 0, 'UTC'), readDate(text, 0, 'UTC')];
  return before !== undefined && before.instant === after?.instant;
}
