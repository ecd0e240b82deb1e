import { csvRows } from '../../model/csv.ts';
import { columnsFrom, inputFromCells } from '../../model/csv-record.ts';
import { references } from '../../model/fixture.ts';
import { encoded } from '../../model/plain.ts';
import type { Input, Resource, ResourceName } from '../../model/resource.ts';
import { resources } from '../../model/resources.ts';
import { slugOf } from '../../model/slug.ts';
import { decodeChunks } from '../../model/text-source.ts';
import { didYouMean } from '../suggestion.ts';
import { Directory } from './directory.ts';
import type { Import } from './intake.ts';
import { Intake } from './matching.ts';
import { bringUpToDate, labelOf } from './plant.ts';
import { markOf } from './spool.ts';
import { problemsOf } from './transaction.ts';
import { cellsFor } from './unsaid.ts';

/** Takes a table in, a row at a time. */
export function takeTable(work: Import): void {
  const { spool, problems, done, options, tally } = work;
  const name = options.only?.[0] ?? 'events';
  const resource: Resource = resources[name];
  const rows = csvRows(decodeChunks(spool.chunks(), options.encoding), options.delimiter);
  const first = rows.next();
  if (first.done) {
    problems.push({ at: 'line 1', reason: 'there are no headings: the file is empty' });
    return;
  }
  const columns = columnsFrom(first.value.cells, resource, options.map ?? new Map(), didYouMean);
  const table = new Table(work, name);
  for (const { cells, line } of rows) {
    if (cells.length > columns.length && cells.slice(columns.length).some((cell) => cell.trim() !== '')) {
      problems.push({ at: `line ${line}`, reason: `has ${cells.length} cells where there are ${columns.length} headings` });
      continue;
    }
    try {
      table.take(inputFromCells(cells, columns, resource));
    } catch (error) {
      problems.push(...problemsOf(error, `line ${line}`));
    }
    done(tally.total);
  }
}

/** The rows of one table on their way into the calendar. */
class Table {
  readonly #resource: Resource;
  readonly #intake: Intake;
  readonly #directories: Partial<Record<ResourceName, Directory>> = {};

  constructor(
    private readonly work: Import,
    private readonly name: ResourceName,
  ) {
    this.#resource = resources[name];
    this.#intake = new Intake(work.desk, work.tally);
  }

  take(row: Input): void {
    const { desk, tally } = this.work;
    const before = this.#known(row);
    const said = this.#linked(cellsFor(this.#resource, row, before));
    const label = labelOf(this.name, said);
    if (before) {
      const { slug, ...rest } = said;
      const input = slug === before.slug || slug === undefined ? rest : said;
      const differs = Object.keys(input).some((key) => key !== 'id' && JSON.stringify(input[key]) !== JSON.stringify(before[key]));
      tally.add(differs && bringUpToDate(desk, this.name, before.id, input) ? 'updated' : 'unchanged', this.name, label, before.id);
      return;
    }
    const lineage = this.name === 'events' && !row.id && !row.slug ? { lineage: this.#mark(row) } : {};
    const id = desk[this.name].add({ ...said, ...lineage });
    tally.add('created', this.name, label, id);
  }

  /** The record that a row is about: by ID and slug, else an event by what the row said when it was first taken in, others by name. */
  #known(row: Input): (Input & { id: number }) | undefined {
    const { desk } = this.work;
    if (row.id || row.slug)
      return this.#intake.same(this.name, { ...(row.id ? { id: row.id } : {}), ...(row.slug ? { slug: row.slug } : {}) });
    const id =
      this.name === 'events'
        ? desk.idBy('events', 'lineage', this.#mark(row))
        : desk.idBy(this.name, 'slug', slugOf(labelOf(this.name, row)));
    return id === undefined ? undefined : desk.source(this.name, id);
  }

  #mark(row: Input): string {
    return `csv:${markOf(JSON.stringify([row.title, row.start_date, row.timezone ?? '', row.venue ?? '']))}`;
  }

  /** A row with the records that its cells name. */
  #linked(row: Input): Input {
    const input = { ...row };
    for (const [field, to] of Object.entries(references[this.name])) {
      const cell = input[field];
      if (to === 'images' || typeof cell !== 'string') continue;
      if (to === 'categories' || to === 'tags') input[field] = field === 'parent' ? this.#one(to, cell) : parts(cell);
      else if (to === 'events') input[field] = this.#one(to, cell);
      else input[field] = this.#people(to as 'venues' | 'organizers', cell);
    }
    return input;
  }

  #one(to: ResourceName, cell: string): number | string {
    return this.work.desk.idBy(to, 'slug', slugOf(cell)) ?? cell;
  }

  /** Venues or organizers that a cell names: one whose name may have commas in it, or several; who is not known is made. */
  #people(to: 'venues' | 'organizers', cell: string): number[] {
    const { desk } = this.work;
    this.#directories[to] ??= new Directory(desk, to);
    const directory = this.#directories[to]!;
    const find = (called: string) =>
      directory.find(called) ?? (/^\d+$/.test(called) && desk.source(to, Number(called)) ? Number(called) : undefined);
    const make = (called: string) => directory.add({ [to === 'venues' ? 'venue' : 'organizer']: encoded(called) }, called);
    const whole = find(cell);
    if (whole !== undefined) return [whole];
    const several = parts(cell);
    const listed = /[;|]/.test(cell) || several.some((part) => find(part) !== undefined);
    return listed ? several.map((part) => find(part) ?? make(part)) : [make(cell)];
  }
}

const parts = (cell: string): string[] =>
  cell
    .split(/[,;|]/)
    .map((part) => part.trim())
    .filter((part) => part !== '');
