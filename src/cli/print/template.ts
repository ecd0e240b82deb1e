import type { Entry } from '../../model/calendar.ts';
import { Failure } from '../../model/error.ts';
import { displayTextAt } from './words.ts';

const escapes: Record<string, string> = { t: '\t', n: '\n', r: '\r', '\\': '\\', '0': '\0' };

/** Splits a template like `{{title}}\t{{start_date}}`: texts at even indexes, field paths at odd ones. Throws `bad-request` for unmatched braces. */
export function partsOf(template: string): string[] {
  const parts = template.split(/\{\{\s*([\w.-]+)\s*\}\}/);
  const texts = parts.filter((_, at) => at % 2 === 0);
  const odd = texts.find((text) => text.includes('{{') || text.includes('}}'));
  if (odd !== undefined)
    throw new Failure(
      'bad-request',
      `Unmatched braces in template: ${JSON.stringify(odd)}`,
      'Write fields as {{title}} or {{venue.city}}.',
    );
  return parts.map((part, at) => (at % 2 ? part : part.replace(/\\([tnr0\\])/g, (_, letter) => escapes[letter]!)));
}

/** Yields a line per record, with values formatted by {@link displayText}. */
export async function* fillTemplate(entries: Iterable<Entry> | AsyncIterable<Entry>, template: string): AsyncIterable<string> {
  const parts = partsOf(template);
  const end = parts.at(-1)!.endsWith('\n') ? '' : '\n';
  for await (const entry of entries) yield parts.map((part, at) => (at % 2 ? displayTextAt(entry, part) : part)).join('') + end;
}
