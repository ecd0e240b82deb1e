import { Failure } from '../model/error.ts';
import type { Input } from '../model/resource.ts';

/** The names of a parameter in brackets: `venue[city]` is venue, city; `tags[]` is tags and an empty one. */
const path = (name: string): string[] => {
  const bracket = name.indexOf('[');
  if (bracket <= 0 || !name.endsWith(']')) return [name];
  return [name.slice(0, bracket), ...name.slice(bracket + 1, -1).split('][')];
};

const mostDeep = 8;
const isUnsafe = (key: string) => key === '__proto__' || key === 'constructor' || key === 'prototype';

type Branch = Map<string, string | Branch>;

/** The next number that is free, as `a[]` takes it. */
function nextSlot(at: Branch): string {
  let slot = at.size;
  while (at.has(String(slot))) slot += 1;
  return String(slot);
}

/** A branch as a list where all its names are numbers, else as an object. */
function plain(at: Branch): Input | unknown[] {
  const entries = [...at].map(([name, value]): [string, unknown] => [name, typeof value === 'string' ? value : plain(value)]);
  return entries.every(([name]) => /^\d+$/.test(name)) ? entries.map(([, value]) => value) : Object.fromEntries(entries);
}

/** Pairs of a query or a form as nested values: `a[]=1&a[]=2` is a list, `v[city]=x` an object; of a plain name the last counts. */
export function nested(pairs: Iterable<[string, string]>): Input {
  const values: Branch = new Map();
  for (const [name, value] of pairs) {
    if (!name.includes('[')) {
      if (!isUnsafe(name)) values.set(name, value);
      continue;
    }
    const keys = path(name).slice(0, mostDeep);
    if (keys.some(isUnsafe)) continue;
    let at = values;
    for (const key of keys.slice(0, -1)) {
      const slot = key === '' ? nextSlot(at) : key;
      const known = at.get(slot);
      const inner: Branch = known instanceof Map ? known : new Map();
      if (inner !== known) at.set(slot, inner);
      at = inner;
    }
    const last = keys.at(-1)!;
    at.set(last === '' && at !== values ? nextSlot(at) : last, value);
  }
  const input: Input = {};
  for (const [name, value] of values) input[name] = typeof value === 'string' ? value : plain(value);
  return input;
}

/** What a query says. */
export const queryOf = (query: string): Input => nested(/[%+]/.test(query) ? new URLSearchParams(query) : plainPairs(query));

/** The pairs of a query in which nothing is written in another way: most are so, and it is quicker. */
function* plainPairs(query: string): Iterable<[string, string]> {
  for (const pair of query.split('&')) {
    const mark = pair.indexOf('=');
    if (pair !== '') yield mark < 0 ? [pair, ''] : [pair.slice(0, mark), pair.slice(mark + 1)];
  }
}

/** The fields of a multipart body. */
async function multipart(body: Uint8Array, type: string): Promise<Input> {
  try {
    const form = await new Response(body, { headers: { 'content-type': type } }).formData();
    return nested([...form].filter((pair): pair is [string, string] => typeof pair[1] === 'string'));
  } catch {
    throw new Failure('bad-request', 'the multipart body cannot be read');
  }
}

const mostNested = 512;

/** Whether lists and objects stand in each other more often than PHP reads. */
function isTooDeep(value: unknown): boolean {
  let level = [value];
  for (let depth = 0; level.length; depth += 1) {
    level = level.flatMap((item) => (item !== null && typeof item === 'object' ? Object.values(item) : []));
    if (depth > mostNested) return true;
  }
  return false;
}

/** Whether an escape stands for half a character: a surrogate without its other half. */
function hasHalf(text: string): boolean {
  const escapes = text.replaceAll('\\\\', '');
  return /\\ud[89ab]..(?!\\ud[c-f])|(?<!\\ud[89ab]..)\\ud[c-f]/i.test(escapes);
}

function json(text: string): Input {
  if (text.trim() === '') return {};
  const unreadable = (code: number, message: string) =>
    new Failure('rest_invalid_json', 'the body is not valid JSON', { json_error_code: code, json_error_message: message });
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw unreadable(4, 'Syntax error');
  }
  if (hasHalf(text)) throw unreadable(10, 'Single unpaired high surrogate in Unicode escape');
  if (text.length > mostNested && isTooDeep(value)) throw unreadable(1, 'Maximum stack depth exceeded');
  return value !== null && typeof value === 'object' && !Array.isArray(value) ? (value as Input) : {};
}

/** What a body says: JSON, a form, or multipart, as its content type tells; nothing for other types. */
export async function inputOf(body: Uint8Array, contentType: string): Promise<Input> {
  const [type = ''] = contentType.toLowerCase().split(';');
  if (!body.length) return {};
  if (/^application\/(json|[\w.+-]+\+json)$/.test(type.trim())) return json(new TextDecoder().decode(body));
  if (type.trim() === 'multipart/form-data') return multipart(body, contentType);
  if (type.trim() === 'application/x-www-form-urlencoded') return nested(new URLSearchParams(new TextDecoder().decode(body)));
  return {};
}
