import { csvLine, guarded, unguarded } from './csv.ts';
import type { Field } from './field.ts';
import { references } from './fixture.ts';
import { DataError } from './problem.ts';
import type { Input, Resource, ResourceName } from './resource.ts';

/** Columns of a table that stand for no field. */
const besides = ['id', 'slug'];

/** The headings of a resource's table: ID and slug, then its fields in the order of their definition. */
export const headingsOf = (resource: Resource): string[] => [...new Set([...besides, ...resource.fields.map((field) => field.name)])];

/** Finds the slug of a linked record by its ID. */
export type SlugOf = (resource: ResourceName, id: number) => string;

/** A record as a line of its table; linked records stand there by slug. */
export function csvRecord(resource: Resource, headings: readonly string[], source: Input, slugOf: SlugOf): string {
  const linked = references[resource.name];
  const cells = headings.map((heading) => {
    const value = source[heading] ?? usualOf(resource.fields.find((field) => field.name === heading));
    const to = linked[heading];
    if (value === undefined || value === null) return '';
    if (to && to !== 'images')
      return [value]
        .flat()
        .map((id) => slugOf(to, Number(id)) || String(id))
        .join(', ');
    if (Array.isArray(value)) return value.length === 1 ? guarded(String(value[0])) : JSON.stringify(value);
    return guarded(String(value));
  });
  return csvLine(cells);
}

/** What a source leaves out because it is as usual, where a table should say it. */
function usualOf(field: Field | undefined): unknown {
  const usual = field?.column?.default;
  if (field?.wire.type === 'boolean' || (field && !field.placeholder)) return usual === 1;
  return usual === 'publish' ? usual : undefined;
}

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
    input[name] = name === 'id' ? Number(cell) || undefined : field ? readCell(field, cell) : cell;
  });
  return input;
}

const yes = ['yes', 'true', '1', 'x', 'on'];
const no = ['no', 'false', '0', 'off', ''];

function readCell(field: Field, cell: string): unknown {
  if (field.wire.type === 'boolean' || (!field.placeholder && field.wire.type === 'string')) {
    const word = cell.toLowerCase();
    const value = yes.includes(word) ? true : no.includes(word) ? false : cell;
    return field.wire.type === 'string' ? String(value) : value;
  }
  if (field.placeholder === 'cost' && cell.startsWith('[')) {
    try {
      return JSON.parse(cell);
    } catch {
      return cell;
    }
  }
  return cell;
}
