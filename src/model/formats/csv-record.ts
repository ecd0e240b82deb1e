import type { Input, Resource, ResourceName } from '../calendar.ts';
import { DataError } from '../error.ts';
import { csvLine, guarded, unguarded } from './csv.ts';
import { columnOf, type TableColumn } from './headings.ts';
import { references } from './references.ts';

/** Columns of a table that stand for no field. */
const besides = ({ family }: Resource) => ['id', 'slug', ...(family === 'post' ? ['uid'] : [])];

/** The headings of a resource's table: ID, slug and UID, then its fields in the order of their definition. */
export const headingsOf = (resource: Resource): string[] => [
  ...new Set([...besides(resource), ...resource.fields.map((field) => field.name)]),
];

/** Finds the slug of a linked record by its ID. */
export type SlugOf = (resource: ResourceName, id: number) => string;

/** A record as a line of its table; linked records stand there by slug. */
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
    return guarded(field ? field.toCell(value) : String(value ?? ''));
  });
  return csvLine(cells);
}

const idsOf = (value: unknown): number[] => [value ?? []].flat().map(Number);

/** What the columns of a table stand for, by their headings; `mapping` says it for some. Fails with a DataError on headings that nobody would know, and where a field is missing. */
export function columnsFrom(
  cells: readonly string[],
  resource: Resource,
  mapping: ReadonlyMap<string, string>,
  suggest: (word: string, known: string[]) => string | undefined,
): TableColumn[] {
  const known = headingsOf(resource);
  const fault = (reason: string) => new DataError('line 1', reason);
  const columns = cells.map((cell): TableColumn => {
    const heading = unguarded(cell).trim();
    const mapped = mapping.get(heading) ?? mapping.get(heading.toLowerCase());
    if (mapped === '' || (mapped === undefined && heading === '')) return {};
    const found = columnOf(mapped ?? heading, resource.name, known);
    if (found) return mapped === undefined ? found : { ...found, isJoined: true };
    const word = mapped ?? heading;
    const hint = suggest(word.toLowerCase().replace(/[\s-]+/g, '_'), known) ?? `Columns are ${known.join(', ')}.`;
    throw fault(
      `no field of ${resource.name} is called ${JSON.stringify(word)}. ${hint} Or say what it is: --map '${heading}=title'; --map '${heading}=' leaves it out`,
    );
  });
  const alone = columns.filter(({ isJoined }) => !isJoined).map(({ name }) => name);
  const twice = alone.find((name, at) => name !== undefined && alone.indexOf(name) !== at);
  if (twice) throw fault(`two columns stand for ${twice}; --map 'Heading=${twice}' for both joins them, --map 'Heading=' leaves one out`);
  const has = (name: string) => columns.some((column) => column.name === name);
  for (const { name, required } of resource.fields)
    if (required && !has(name) && name !== 'end_date')
      throw fault(`no column stands for ${name}; say which one does: --map 'Heading=${name}'`);
  return columns;
}

/**
 * The cells of a row as input; those of one field joined. Empty cells are empty texts; words for yes and no become switches; links stay texts for whoever knows the
 * records.
 */
export function inputFromCells(cells: readonly string[], columns: readonly TableColumn[], resource: Resource): Input {
  const texts = new Map<string, string>();
  columns.forEach(({ name }, at) => {
    if (name === undefined) return;
    const cell = unguarded(cells[at] ?? '').trim();
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

/** A row without its empty cells; in an update of the record that is there they clear what can be cleared. */
export function withoutEmptyCells(resource: Resource, row: Input, before: Input | undefined): Input {
  const input: Input = {};
  for (const [name, value] of Object.entries(row)) {
    const field = resource.fields.find((each) => each.name === name);
    if (value !== '' && value !== undefined) input[name] = value;
    else if (value === '' && field && before && !field.lasting && !field.required) input[name] = field.empty;
  }
  return input;
}
