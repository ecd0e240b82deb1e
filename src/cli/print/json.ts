import type { Entry } from '../../model/calendar.ts';
import { pick, type ToText, textConverter } from './cells.ts';

// Valid in JSON, but some terminals interpret them and some parsers reject them.
const unsafe = /[\x7f-\x9f\u2028-\u202e\u2066-\u2069]/g;
/** Serializes JSON that is safe on a terminal. */
export const toJson = (value: unknown, indent?: number): string =>
  JSON.stringify(value, null, indent).replace(unsafe, (each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, '0')}`);

const reduced = (entry: Entry, fields: readonly string[] | undefined, toText: ToText | undefined): unknown =>
  fields?.length ? pick(entry, fields, toText) : entry;

/** Yields a JSON array record by record. */
export async function* jsonArray(entries: Iterable<Entry> | AsyncIterable<Entry>, fields?: readonly string[]): AsyncIterable<string> {
  const toText = await textConverter(fields);
  let open = false;
  for await (const entry of entries) {
    const text = toJson(reduced(entry, fields, toText), 2).replaceAll('\n', '\n  ');
    yield `${open ? ',\n' : '[\n'}  ${text}`;
    open = true;
  }
  yield open ? '\n]\n' : '[]\n';
}

export async function* jsonObject(entries: Iterable<Entry> | AsyncIterable<Entry>, fields?: readonly string[]): AsyncIterable<string> {
  const toText = await textConverter(fields);
  for await (const entry of entries) yield `${toJson(reduced(entry, fields, toText), 2)}\n`;
}

export async function* ndjson(entries: Iterable<Entry> | AsyncIterable<Entry>, fields?: readonly string[]): AsyncIterable<string> {
  const toText = await textConverter(fields);
  for await (const entry of entries) yield `${toJson(reduced(entry, fields, toText))}\n`;
}
