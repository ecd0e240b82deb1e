import type { Input, Resource, ResourceName } from '../calendar.ts';
import { didYouMean } from '../did-you-mean.ts';
import { DataError } from '../error.ts';
import type { Field } from '../fields/field.ts';
import type { TableHeadings } from '../operation-types.ts';
import type { Resources } from '../resources/declared.ts';
import { linkFields } from '../resources/relations.ts';
import { csvLine, escapeFormula, unescapeFormula } from './csv.ts';
import { type HeadingMeaning, Headings } from './headings.ts';
import { references } from './references.ts';

/** A column of a table. */
export interface TableColumn {
  /** A field, or a column that is not a field; undefined for an ignored column. */
  name?: string;
  field?: Field;
  /** Text between its cells and those of another column of the same field. */
  joinedBy: string;
  /** True if its heading means a time, which is joined to a date. */
  isTime?: boolean;
}

/** Fields by heading; '' ignores a column. */
type HeadingMap = ReadonlyMap<string, string>;

/** Maximum number of columns. */
const maxColumns = 1000;
/** Maximum number of headings in a message. */
const maxListed = 20;
/** Maximum length of a heading in a `--map` to copy. */
const maxHeading = 100;

/** A heading and the field it means; `name` is undefined for an ignored column, and the heading is unknown without `isKnown`. */
interface ReadHeading {
  heading: string;
  name?: string;
  /** The field whose record has the column. */
  link?: string;
  isKnown: boolean;
  isMapped: boolean;
  joinedBy?: string;
  isTime: boolean;
}

/** Throws a DataError if `mapping` names an unknown field. */
function readHeadings(cells: readonly string[], resource: Resource, mapping: HeadingMap, all: Resources): ReadHeading[] {
  if (cells.length > maxColumns) throw new DataError('line 1', `has ${cells.length} columns, more than ${maxColumns}`);
  const headings = new Headings(resource, all);
  const candidates = cells.map((cell) => {
    const heading = unescapeFormula(cell).trim();
    const mapped = mapping.get(heading) ?? mapping.get(heading.toLowerCase());
    return { heading, mapped, meanings: headings.find(mapped ?? heading) };
  });
  const own = new Set(
    candidates.flatMap(({ mapped, meanings }) => (mapped === '' ? [] : meanings.flatMap(({ name, link }) => (link ? [] : name)))),
  );
  const read = candidates.map(({ heading, mapped, meanings }): ReadHeading => {
    if (mapped === '' || (mapped === undefined && heading === ''))
      return { heading, isKnown: true, isMapped: mapped !== undefined, isTime: false };
    const possible = meanings.filter(({ link }) => link === undefined || own.has(link));
    const column = possible.length === 1 ? possible[0] : undefined;
    if (mapped !== undefined && !column) throw mappingError(heading, mapped, meanings, headings);
    const isMapped = mapped !== undefined;
    return {
      heading,
      name: column?.name,
      link: column?.link ?? (possible.length ? undefined : meanings[0]?.link),
      isKnown: column !== undefined,
      isMapped,
      joinedBy: column?.joinedBy ?? (isMapped ? ' ' : undefined),
      isTime: column?.joinedBy === ' ',
    };
  });
  const isDated = read.some(({ name, joinedBy, isMapped }) => name === 'date_utc' || (name === 'start_date' && (isMapped || !joinedBy)));
  for (const each of read)
    if (each.name === 'day') {
      const isField = isDated && each.heading.toLowerCase() === 'date';
      each.name = isField ? 'date' : isDated ? undefined : 'start_date';
      each.isKnown = isField || !isDated;
    }
  return read;
}

/** The error for a heading with a field that no column or more than one can have. */
function mappingError(heading: string, mapped: string, meanings: readonly HeadingMeaning[], headings: Headings): DataError {
  const [first, ...more] = meanings;
  const names = meanings.map(({ name }) => name).join(' or ');
  if (first && !more.length)
    return new DataError(
      'line 1',
      `${names} for the heading ${quoted(heading)} needs a column for ${first.link}`,
      `Map one to ${first.link}.`,
    );
  const hint = first ? `Write ${names}.` : (didYouMean(mapped, headings.names) ?? `Fields: ${headings.names.join(', ')}.`);
  return new DataError('line 1', `unknown field ${quoted(mapped)} for the heading ${quoted(heading)}`, hint);
}

/** The fields that a table needs. */
const requiredIn = ({ fields }: Resource): string[] =>
  fields.filter(({ name, required }) => required && name !== 'end_date').map(({ name }) => name);

/** True if a row names all fields that a table needs. */
export function isHeadingRow(cells: readonly string[], resource: Resource, mapping: HeadingMap, all: Resources): boolean {
  const names = readHeadings(cells, resource, mapping, all).map(({ name }) => name);
  return requiredIn(resource).every((name) => names.includes(name));
}

/** The columns of a table. */
export interface TableColumns {
  columns: TableColumn[];
  /** The columns of linked records by the field of the link: `city` of the venue. */
  linked: Readonly<Record<string, TableColumn[]>>;
  /** Unknown headings that a lenient import skips. */
  ignored: readonly string[];
  /** Headings of columns that no field has, though other programs write them, and empty ones, by column. */
  leftOut: ReadonlyMap<number, string>;
}

/** The columns of a table. `mapping` overrides headings. Throws one DataError for all unknown headings, unless `lenient`, and missing required columns. */
export function columnsFrom(
  cells: readonly string[],
  resource: Resource,
  { map: mapping = new Map(), lenient = false }: { map?: HeadingMap; lenient?: boolean },
  all: Resources,
): TableColumns {
  const read = readHeadings(cells, resource, mapping, all);
  const unknown = read.filter(({ isKnown }) => !isKnown).map(({ heading }) => heading);
  const names = read.map(({ name }) => name);
  const missing = requiredIn(resource).filter((name) => !names.includes(name));
  if (names.every((name) => name === undefined) && !guessesFor(read, resource, all).size)
    throw new DataError(
      'line 1',
      `not the headings of a table of ${resource.name}: ${listed(unknown)}`,
      `Expected headings like ${resource.fields
        .filter(({ required }) => required)
        .map(({ name }) => name)
        .join(', ')}. Map others with --map, see --map-template, or pass --format for another format.`,
    );
  const single = read.filter(({ joinedBy }) => joinedBy === undefined).map(({ name }) => name);
  const duplicate = single.find((name, at) => name !== undefined && single.indexOf(name) !== at);
  if (duplicate)
    throw new DataError(
      'line 1',
      `two columns for ${duplicate}`,
      `Join them with --map 'Heading=${duplicate}' for both, or ignore one with --map 'Heading='.`,
    );
  if (missing.length || (unknown.length && !lenient)) throw headingError(read, missing, resource, all);
  if (!lenient) checkMapping(mapping, read);
  const columnsOf = ({ name, fields }: Resource, of?: string): TableColumn[] =>
    read.map(({ name: whole, link, joinedBy, isTime }) => {
      if (whole === undefined || link !== of) return { joinedBy: '' };
      const column = of === undefined ? whole : whole.slice(of.length + 1);
      const field = fields.find((each) => each.name === column);
      return { name: column, field, isTime, joinedBy: references[name][column] ? ', ' : (joinedBy ?? ' ') };
    });
  const links = linkFields(resource.name).filter((field) => read.some(({ name, link }) => name !== undefined && link === field.name));
  return {
    columns: columnsOf(resource),
    linked: Object.fromEntries(links.map(({ name, links }) => [name, columnsOf(all[links], name)])),
    ignored: unknown,
    leftOut: new Map(
      read.flatMap(({ heading, name, isKnown, isMapped }, at) => (name === undefined && isKnown && !isMapped ? [[at, heading]] : [])),
    ),
  };
}

/** Throws a DataError if `--map` gives a field to a heading that the table lacks. */
function checkMapping(mapping: HeadingMap, read: readonly ReadHeading[]): void {
  const headings = read.flatMap(({ heading }) => [heading, heading.toLowerCase()]);
  const absent = [...mapping].find(([heading, field]) => field !== '' && !headings.includes(heading));
  if (!absent) return;
  const hint = didYouMean(absent[0], headings) ?? 'Correct --map, or pass --lenient.';
  throw new DataError('line 1', `the table has no heading ${quoted(absent[0])}, which --map names`, hint);
}

/** One error for all unknown headings and missing columns, with the complete `--map`. */
function headingError(read: readonly ReadHeading[], required: readonly string[], resource: Resource, all: Resources): DataError {
  const guesses = guessesFor(read, resource, all);
  const missing = required.filter((name) => ![...guesses.values()].includes(name));
  const skipped = read.filter(({ isKnown }) => !isKnown);
  const unknown = skipped.map(({ heading }) => heading);
  const headings = skipped.map(({ heading, link }) => {
    const remark = guesses.has(heading) ? `${guesses.get(heading)}?` : link && `without a column for ${link}`;
    return `${quoted(heading)}${remark ? ` (${remark})` : ''}`;
  });
  const parts = [
    ...(unknown.length ? [`unknown heading${unknown.length > 1 ? 's' : ''} ${listedTexts(headings)}`] : []),
    ...(missing.length ? [`missing column${missing.length > 1 ? 's' : ''} ${missing.join(', ')}`] : []),
  ];
  const isSimple = unknown.length <= maxListed && unknown.every((heading) => heading.length <= maxHeading && !/[,=\n]/.test(heading));
  const pairs = unknown.map((heading) => `${heading}=${guesses.get(heading) ?? ''}`);
  const map = `Pass --map '${(pairs.length ? pairs : missing.map((name) => `HEADING=${name}`)).join(',').replaceAll("'", `'\\''`)}'`;
  const more = missing.length ? `, with a heading for ${missing.join(', ')}` : ', or --lenient to skip unknown headings';
  return new DataError(
    'line 1',
    parts.join('; '),
    isSimple ? `${map}${more}.` : `Write a map to edit with calendar import --map-template FILE, and pass it with --map @FILE${more}.`,
  );
}

/** The best guess for each unknown heading, each field once. */
function guessesFor(read: readonly ReadHeading[], resource: Resource, all: Resources): Map<string, string> {
  const headings = new Headings(resource, all);
  const usedFields = new Set(read.map(({ name }) => name));
  const guesses = new Map<string, string>();
  for (const { heading, isKnown } of read) {
    const { name, link } = (isKnown ? undefined : headings.guess(heading)) ?? {};
    if (name === undefined || usedFields.has(name) || (link !== undefined && !usedFields.has(link))) continue;
    usedFields.add(name);
    guesses.set(heading, name);
  }
  return guesses;
}

/** The headings of a table and their fields, and all that they can be mapped to. */
export function headingFields(cells: readonly string[], resource: Resource, mapping: HeadingMap, all: Resources): TableHeadings {
  const read = readHeadings(cells, resource, mapping, all);
  const guesses = guessesFor(read, resource, all);
  const headings = read
    .filter(({ heading }) => heading !== '')
    .map(({ heading, name = '', isKnown }) => {
      const guess = guesses.get(heading);
      return { heading, ...(isKnown ? { field: name } : guess === undefined ? {} : { guess }) };
    });
  return { headings, fields: new Headings(resource, all).names };
}

/** The map of a table's headings to their fields, to be edited. Unknown headings have the best guess or ''. */
export const mapTemplate = (cells: readonly string[], resource: Resource, all: Resources): Record<string, string> =>
  Object.fromEntries(
    headingFields(cells, resource, new Map(), all).headings.map(({ heading, field, guess }) => [heading, field ?? guess ?? '']),
  );

const quoted = (text: string) => JSON.stringify(text.length > 40 ? `${text.slice(0, 40)}…` : text);

const listed = (headings: readonly string[]) => listedTexts(headings.map(quoted));

const listedTexts = (texts: readonly string[]) =>
  `${texts.slice(0, maxListed).join(', ')}${texts.length > maxListed ? ` and ${texts.length - maxListed} more` : ''}`;

/** The cell that names a linked record. */
type NameOf = (resource: ResourceName, id: number, isSlugFirst: boolean) => string;

/** Formats a record as a CSV line, with linked records by name. */
export function csvRecord(resource: Resource, headings: readonly string[], source: Input, nameOf: NameOf): string {
  const linked = references[resource.name];
  const cells = headings.map((heading) => {
    const value = source[heading];
    const to = linked[heading];
    const field = resource.fields.find(({ name }) => name === heading);
    if (to && to !== 'images')
      return escapeFormula(
        idsOf(value)
          .map((id) => nameOf(to as ResourceName, id, !field?.stored.join))
          .join(', '),
      );
    return escapeFormula(field ? field.cell.to(value) : String(value ?? ''));
  });
  return csvLine(cells);
}

const idsOf = (value: unknown): number[] => [value ?? []].flat().map(Number);

/** The cells of a row as an input. Joins the cells of one field, converts words for yes and no to booleans, and keeps links as text. Spaces around a cell belong to it if `isExact`. */
export function inputFromCells(cells: readonly string[], columns: readonly TableColumn[], rewrite: Rewrite, isExact = false): Input {
  const texts = new Map<string, string>();
  columns.forEach(({ name, field, joinedBy, isTime }, at) => {
    if (name === undefined) return;
    const cellText = unescapeFormula(cells[at] ?? '');
    const text = isExact ? cellText : cellText.trim();
    const cell = (field?.cell.rewrite || field?.typed) && text !== '' ? rewrite(field, text, isTime === true) : text;
    const before = texts.get(name);
    texts.set(name, before && cell ? before + joinedBy + cell : before || cell);
  });
  const fields = new Map(columns.map(({ name, field }) => [name, field]));
  const input: Input = {};
  for (const [name, text] of texts) {
    const field = fields.get(name);
    input[name] = name === 'id' ? Number(text) || undefined : name === 'poster' ? text === 'true' : field ? field.cell.from(text) : text;
  }
  return input;
}

/** Rewrites a cell that people wrote. `isTime` is true in a column of times. */
type Rewrite = (field: Field, cell: string, isTime: boolean) => string;

/** A row without its empty cells. In an update of `before`, empty cells clear optional fields, but not a poster in a table without a column for it. */
export function withoutEmptyCells(resource: Resource, row: Input, before: Input | undefined): Input {
  const input: Input = {};
  for (const [name, value] of Object.entries(row)) {
    const field = resource.fields.find((each) => each.name === name);
    if (value !== '' && value !== undefined && !(name === 'poster' && value === false)) input[name] = value;
    else if (
      value === '' &&
      field &&
      before &&
      !field.nothing.isRefused &&
      !field.required &&
      // Without a default, none and empty are two values, which a cell can't tell apart.
      (field.stored.column === undefined || field.stored.column.default !== undefined || before[name] !== undefined) &&
      !(field.links === 'images' && before.poster && row.poster !== false)
    )
      input[name] = field.nothing.input;
  }
  return input;
}
