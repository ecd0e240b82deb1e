import type { Input, Resource, ResourceName } from '../calendar.ts';
import { DataError } from '../error.ts';
import { csvLine, guarded, unguarded } from './csv.ts';
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
        .map((id) => slugOf(to, id) || String(id))
        .join(', ');
    const field = resource.fields.find(({ name }) => name === heading);
    return guarded(field ? field.toCell(value) : String(value ?? ''));
  });
  return csvLine(cells);
}

const idsOf = (value: unknown): number[] => [value ?? []].flat().map(Number);

/** What the columns of a table stand for: the name of a field, or undefined for one that is left out. */
export function columnsFrom(
  cells: readonly string[],
  resource: Resource,
  mapping: ReadonlyMap<string, string>,
  suggest: (word: string, known: string[]) => string | undefined,
): (string | undefined)[] {
  const known = headingsOf(resource);
  const plain = (text: string) =>
    text
      .trim()
      .toLowerCase()
      .replace(/[\s-]+/g, '_');
  const columns = cells.map((cell) => {
    const heading = unguarded(cell).trim();
    const mapped = mapping.get(heading) ?? mapping.get(heading.toLowerCase());
    if (mapped !== undefined) return mapped || undefined;
    const name = known.find((each) => each === plain(heading));
    if (name || heading === '') return name;
    const hint = suggest(plain(heading), known) ?? `Columns are ${known.join(', ')}.`;
    throw new DataError(
      'line 1',
      `no field of ${resource.name} is called ${JSON.stringify(heading)}. ${hint} Or say what it is: --map '${heading}=title'; --map '${heading}=' leaves it out`,
    );
  });
  const twice = columns.find((name, at) => name !== undefined && columns.indexOf(name) !== at);
  if (twice) throw new DataError('line 1', `two columns stand for ${twice}`);
  for (const field of resource.fields)
    if (field.required && !columns.includes(field.name))
      throw new DataError('line 1', `no column stands for ${field.name}; say which one does: --map 'Heading=${field.name}'`);
  return columns;
}

/** The cells of a row as input. Empty cells are empty texts; words for yes and no become switches; links stay texts for whoever knows the records. */
export function inputFromCells(cells: readonly string[], columns: readonly (string | undefined)[], resource: Resource): Input {
  const input: Input = {};
  columns.forEach((name, at) => {
    if (name === undefined) return;
    const cell = unguarded(cells[at] ?? '').trim();
    const field = resource.fields.find((each) => each.name === name);
    input[name] = name === 'id' ? Number(cell) || undefined : field ? field.fromCell(cell) : cell;
  });
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
