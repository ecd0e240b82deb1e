import type { Resource, ResourceName } from '../../model/calendar.ts';
import { DataError, invalidParams } from '../../model/error.ts';
import type { Field, TypedValues } from '../../model/fields/field.ts';
import { columnsFrom, type TableColumn } from '../../model/formats/columns.ts';
import { type CsvRow, csvRows, unescapeFormula } from '../../model/formats/csv.ts';
import { decodeChunks } from '../../model/formats/decode.ts';
import { originOf, type TableOrigin } from '../../model/formats/headings.ts';
import { readDate } from '../../model/time/parse-date.ts';
import { type DateOrder, DateOrderEvidence, type Evidence } from '../../model/time/typed-date.ts';
import type { ImportJob, ImportOptions } from './options.ts';
import type { Source } from './source.ts';

/** A CSV file whose headings were read. */
export interface Table {
  columns: readonly TableColumn[];
  rows: Iterable<CsvRow>;
  /** Unknown headings that a lenient import skips. */
  ignored: readonly string[];
  origin: TableOrigin | undefined;
}

/** Opens a table and reads its headings. Throws a DataError for unknown headings. */
export function openTable({ source, options, local }: Pick<ImportJob, 'source' | 'options' | 'local'>, name: ResourceName): Table {
  const { headings, rows } = readHeadings(source, options);
  return { ...columnsFrom(headings, local.resources[name] as Resource, options), rows, origin: originOf(headings) };
}

/** Reads the first row of a CSV file. */
export function readHeadings(source: Source, { encoding, delimiter }: ImportOptions): { headings: string[]; rows: Iterable<CsvRow> } {
  const rows = csvRows(decodeChunks(source.chunks(), encoding), delimiter);
  const first = rows.next();
  if (first.done) throw new DataError('line 1', 'the file is empty; expected a heading row');
  return { headings: first.value.cells, rows };
}

/** Returns the order of day, month and year in a table; undefined if its dates don't depend on it. Throws a DataError if it is contradictory or ambiguous. */
export function orderIn({ columns, rows, origin }: Table): DateOrder | undefined {
  const evidence = new DateOrderEvidence();
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

/** Rewrites the cells of a table and counts those with another meaning. */
export class TableCells {
  rewritten = 0;

  /** `order` is `none` for an export, whose cells are exact. */
  constructor(
    private readonly order: DateOrder | 'none' | undefined,
    private readonly onNote: (reason: string) => void,
  ) {}

  /** Returns a cell in a form that its field reads. Throws `rest_invalid_param` for a date in another order. */
  readonly rewrite = (field: Field, cell: string): string => {
    if (this.order === 'none') return cell;
    if (field.fromTyped) return this.#typed(field.name, cell, field.fromTyped(cell));
    const text = field.rewriteCell!(cell, this.order);
    if (text === undefined)
      throw invalidParams({ [field.name]: { reason: `${JSON.stringify(cell)} is not a date in the order ${this.order}` } });
    if (text !== cell && !isSameDate(cell, text)) this.rewritten++;
    return text;
  };

  /** Formats typed values as a cell. Values that differ from what was meant are noted; without any, throws `rest_invalid_param`. */
  #typed(name: string, cell: string, { list, reason }: TypedValues): string {
    const text = JSON.stringify(list);
    if (reason && !list.length) throw invalidParams({ [name]: { reason: `${JSON.stringify(cell)} ${reason}` } });
    if (reason) this.onNote(`${name} ${JSON.stringify(cell)} ${reason}; stored ${list.map((each) => JSON.stringify(each)).join(' and ')}`);
    if (text !== JSON.stringify([cell]) && !cell.startsWith('[')) this.rewritten++;
    return text;
  }
}

/** Returns whether two texts are the same date without rewriting. */
function isSameDate(cell: string, text: string): boolean {
  const [before, after] = [readDate(cell, 0, 'UTC'), readDate(text, 0, 'UTC')];
  return before !== undefined && before.instant === after?.instant;
}
