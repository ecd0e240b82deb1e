import { createColors } from 'picocolors';
import type { Entry } from '../../model/calendar.ts';
import { plainLines } from '../terminal/safe-text.ts';
import { pad, widthOf, wrap } from '../terminal/width.ts';
import { valueAt } from './cells.ts';
import { type Layout, tableCell } from './table.ts';
import { displayTextAt } from './words.ts';

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
    const column = Math.max(...names.map(widthOf)) + 2;
    const lines = names.flatMap((name) => {
      const value = tableCell(entry, name);
      const lines = layout.width === undefined ? [value] : wrap(value, Math.max(10, layout.width - column));
      return lines.map((line, at) => (at ? ' '.repeat(column) + line : colors.dim(pad(name, column)) + line));
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
