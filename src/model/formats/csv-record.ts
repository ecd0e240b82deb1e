import type { Input, Resource, ResourceName } from '../calendar.ts';
import { DataError } from '../error.ts';
import { csvLine, escapeFormula, unescapeFormula } from './csv.ts';
import { columnOf, type TableColumn } from './headings.ts';
import { references } from './references.ts';

/** Columns that are not fields. */
const besides = ({ family }: Resource) => ['id', 'slug', ...(family === 'post' ? ['uid'] : [])];

/** Returns the headings of a resource's table: ID, slug and UID, then its fields in order. */
export const headingsOf = (resource: Resource): string[] => [
  ...new Set([...besides(resource), ...resource.fields.map((field) => field.name)]),
];

/** Returns the slug of a linked record. */
export type SlugOf = (resource: ResourceName, id: number) => string;

/** Formats a record as a CSV line, with linked records by slug. */
export function csvRecord(resource: Resource, headings: readonly string[], source: Input, slugOf: SlugOf): string {
  const linked = references[resource.name];
  const cells = headings.map((heading) => {
    const value = source[heading];
    const to = linked[heading];
    if (to && to !== 'images')
      return idsOf(value)
        .map((id) => slugOf(to as ResourceName, id) || String(id))
        .join(', ');
    const field = resource.fields.find(({ name }) => name === heading);
    return escapeFormula(field ? field.toCell(value) : String(value ?? ''));
  });
  return csvLine(cells);
}

const idsOf = (value: unknown): number[] => [value ?? []].flat().map(Number);

/** Returns the columns of a table by headings; `mapping` overrides headings. Throws a DataError for unknown headings and missing required fields. */
export function columnsFrom(
  cells: readonly string[],
  resource: Resource,
  mapping: ReadonlyMap<string, string>,
  suggest: (word: string, known: string[]) => string | undefined,
): TableColumn[] {
  const known = headingsOf(resource);
  const fault = (reason: string) => new DataError('line 1', reason);
  const columns = cells.map((cell): TableColumn => {
    const heading = unescapeFormula(cell).trim();
    const mapped = mapping.get(heading) ?? mapping.get(heading.toLowerCase());
    if (mapped === '' || (mapped === undefined && heading === '')) return {};
    const found = columnOf(mapped ?? heading, resource.name, known);
    if (found) return mapped === undefined ? found : { ...found, isJoined: true };
    const word = mapped ?? heading;
    const hint = suggest(word.toLowerCase().replace(/[\s-]+/g, '_'), known) ?? `Columns: ${known.join(', ')}.`;
    throw fault(
      `unknown column ${JSON.stringify(word)}. ${hint} Map it with --map '${heading}=title', or ignore it with --map '${heading}='`,
    );
  });
  const names = columns.filter(({ isJoined }) => !isJoined).map(({ name }) => name);
  const duplicate = names.find((name, at) => name !== undefined && names.indexOf(name) !== at);
  if (duplicate)
    throw fault(`two columns for ${duplicate}. Join them with --map 'Heading=${duplicate}' for both, or ignore one with --map 'Heading='`);
  const has = (name: string) => columns.some((column) => column.name === name);
  for (const { name, required } of resource.fields)
    if (required && !has(name) && name !== 'end_date') throw fault(`missing column ${name}. Map one with --map 'Heading=${name}'`);
  return columns;
}

/** Returns the cells of a row as an input. Joins the cells of one field, converts words for yes and no to booleans, and keeps links as text. */
export function inputFromCells(cells: readonly string[], columns: readonly TableColumn[], resource: Resource): Input {
  const texts = new Map<string, string>();
  columns.forEach(({ name }, at) => {
    if (name === undefined) return;
    const cell = unescapeFormula(cells[at] ?? '').trim();
    const between = references[resource.name][name] ? ', ' : ' ';
    texts.set(name, [texts.get(name) ?? '', cell].filter((text) => text !== '').join(between));
  });
  const input: Input = {};
  for (const [name, text] of texts) {
    const field = resource.fields.find((each) => each.name === name);
    input[name] = name === 'id' ? Number(text) || undefined : field ? field.fromCell(text) : text;
  }
  return input;
}

/** Returns a row without its empty cells. In an update of `before`, empty cells clear optional fields. */
export function withoutEmptyCells(resource: Resource, row: Input, before: Input | undefined): Input {
  const input: Input = {};
  for (const [name, value] of Object.entries(row)) {
    const field = resource.fields.find((each) => each.name === name);
    if (value !== '' && value !== undefined) input[name] = value;
    else if (value === '' && field && before && !field.lasting && !field.required) input[name] = field.empty;
  }
  return input;
}
