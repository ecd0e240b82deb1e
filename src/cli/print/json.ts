import type { Entry } from '../../model/calendar.ts';
import { pick } from './cells.ts';

// Legal in JSON, but terminals interpret some, and some JavaScript parsers reject others.
const unsafe = /[\x7f-\x9f\u2028-\u202e\u2066-\u2069]/g;
/** JSON that can be shown on a terminal. */
export const write = (value: unknown, indent?: number): string =>
  JSON.stringify(value, null, indent).replace(unsafe, (each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, '0')}`);

const pickFields = (entry: Entry, fields: readonly string[] | undefined): unknown => (fields?.length ? pick(entry, fields) : entry);

/** A JSON array, written record by record. */
export async function* jsonArray(entries: Iterable<Entry> | AsyncIterable<Entry>, fields?: readonly string[]): AsyncIterable<string> {
  let open = false;
  for await (const entry of entries) {
    const text = write(pickFields(entry, fields), 2).replaceAll('\n', '\n  ');
    yield `${open ? ',\n' : '[\n'}  ${text}`;
    open = true;
  }
  yield open ? '\n]\n' : '[]\n';
}

/** One record as a JSON object. */
export async function* jsonObject(entries: Iterable<Entry> | AsyncIterable<Entry>, fields?: readonly string[]): AsyncIterable<string> {
  for await (const entry of entries) yield `${write(pickFields(entry, fields), 2)}\n`;
}

/** One JSON object on each line. */
export async function* ndjson(entries: Iterable<Entry> | AsyncIterable<Entry>, fields?: readonly string[]): AsyncIterable<string> {
  for await (const entry of entries) yield `${write(pickFields(entry, fields))}\n`;
}
