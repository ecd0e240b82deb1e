import type { Input, Resource, ResourceName } from '../calendar.ts';
import type { Field } from '../fields/field.ts';
import type { TableColumn } from './columns.ts';
import { csvLine, escapeFormula, unescapeFormula } from './csv.ts';
import { references } from './references.ts';

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

/** Returns the cells of a row as an input. Joins the cells of one field, converts words for yes and no to booleans, and keeps links as text. */
export function inputFromCells(cells: readonly string[], columns: readonly TableColumn[], rewrite: Rewrite): Input {
  const texts = new Map<string, string>();
  columns.forEach(({ name, field, joinedBy }, at) => {
    if (name === undefined) return;
    const text = unescapeFormula(cells[at] ?? '').trim();
    const cell = field?.rewriteCell && text !== '' ? rewrite(field, text) : text;
    const before = texts.get(name);
    texts.set(name, before && cell ? before + joinedBy + cell : before || cell);
  });
  const fields = new Map(columns.map(({ name, field }) => [name, field]));
  const input: Input = {};
  for (const [name, text] of texts) {
    const field = fields.get(name);
    input[name] = name === 'id' ? Number(text) || undefined : field ? field.fromCell(text) : text;
  }
  return input;
}

/** Rewrites a cell that people wrote. */
export type Rewrite = (field: Field, cell: string) => string;

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
