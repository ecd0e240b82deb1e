import type { Input } from '../model/calendar.ts';
import { Failure } from '../model/error.ts';
import { latin1Bytes, latin1Text, utf8Bytes, utf8Text } from '../model/formats/bytes.ts';
import type { ServerRequest } from './http.ts';

/** The failure of a body past its limit. */
export const tooLarge = (maxBytes: number) => new Failure('body-too-large', `The request body is larger than ${maxBytes} bytes`);

const utf8 = new TextDecoder('utf-8', { fatal: true });

const excerptOf = (text: string): string => (text.length > 100 ? `${text.slice(0, 100)}…` : text);

/** The failure of text that is not UTF-8: replacing bytes would store something else than what was sent. */
const notUtf8 = (place: string, text: string): Failure =>
  new Failure('bad-request', `Invalid UTF-8 in ${place}: ${excerptOf(text)}`, 'Encode text as UTF-8 before it is percent-encoded or sent.');

/** Decodes bytes; undefined if they are not UTF-8. */
function decoded(bytes: Uint8Array): string | undefined {
  try {
    return utf8.decode(bytes);
  } catch {
    return undefined;
  }
}

/** Decodes bytes of a place in a request, like `the form`. Throws `bad-request` if they are not UTF-8. */
export function decodedAt(place: string, bytes: Uint8Array): string {
  const text = decoded(bytes);
  if (text === undefined) throw notUtf8(place, utf8Text(bytes.subarray(0, 400)));
  return text;
}

/** Percent-encoded text of a place in a request. Throws `bad-request` if what it stands for is not UTF-8. */
export function checkEncoded(place: string, text: string): string {
  if (!/%[89a-f]/i.test(text)) return text;
  const binary = latin1Text(utf8Bytes(text));
  const bytes = binary.replace(/%([\da-f]{2})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
  if (decoded(latin1Bytes(bytes)) === undefined) throw notUtf8(place, text);
  return text;
}

/** Checks a text that another parser decoded from a body. Throws `bad-request` if it replaced bytes that are not UTF-8: the text is not in the body then. */
function checkDecoded(place: string, text: string, body: Uint8Array): void {
  if (text.includes('\ufffd') && !latin1Text(body).includes(latin1Text(utf8Bytes(text)))) throw notUtf8(place, text);
}

/** Splits the name of a parameter with brackets: `venue[city]` is venue, city; `tags[]` is tags and an empty one. */
const path = (name: string): string[] => {
  const bracket = name.indexOf('[');
  if (bracket <= 0 || !name.endsWith(']')) return [name];
  return [name.slice(0, bracket), ...name.slice(bracket + 1, -1).split('][')];
};

const maxParameterDepth = 8;
const isUnsafe = (key: string) => key === '__proto__' || key === 'constructor' || key === 'prototype';

/** Values by name. `a[]` uses the next number. */
class Branch extends Map<string, string | Branch> {
  #next = 0;

  override set(name: string, value: string | Branch): this {
    const number = /^\d{1,15}$/.test(name) ? Number(name) : -1;
    if (number >= this.#next) this.#next = number + 1;
    return super.set(name, value);
  }

  nextSlot(): string {
    return String(this.#next);
  }
}

/** A branch as a list if all its names are numbers, else as an object. */
function plain(at: Branch): Input | unknown[] {
  const entries = [...at].map(([name, value]): [string, unknown] => [name, typeof value === 'string' ? value : plain(value)]);
  return entries.every(([name]) => /^\d+$/.test(name)) ? entries.map(([, value]) => value) : Object.fromEntries(entries);
}

/** Maximum number of values in a query or a form. */
const maxValues = 10_000;

/** Nests the pairs of a query or a form: `a[]=1&a[]=2` is a list, `v[city]=x` an object; the last value of a repeated plain name wins. */
export function nested(pairs: Iterable<[string, string]>): Input {
  const values = new Branch();
  let count = 0;
  for (const [name, value] of pairs) {
    if (++count > maxValues) throw new Failure('bad-request', `The request has more than ${maxValues} values`);
    if (!name.includes('[')) {
      if (!isUnsafe(name)) values.set(name, value);
      continue;
    }
    const keys = path(name).slice(0, maxParameterDepth);
    if (keys.some(isUnsafe)) continue;
    let at = values;
    for (const key of keys.slice(0, -1)) {
      const slot = key === '' ? at.nextSlot() : key;
      const existing = at.get(slot);
      const inner = existing instanceof Branch ? existing : new Branch();
      if (inner !== existing) at.set(slot, inner);
      at = inner;
    }
    const last = keys.at(-1)!;
    at.set(last === '' && at !== values ? at.nextSlot() : last, value);
  }
  const input: Input = {};
  for (const [name, value] of values) input[name] = typeof value === 'string' ? value : plain(value);
  return input;
}

/** The parameters of a query. Throws `bad-request` if it is not UTF-8. */
export const parseQuery = (query: string): Input =>
  nested(/[%+]/.test(query) ? new URLSearchParams(checkEncoded('the query', query)) : plainPairs(query));

/** The parameters of a query, in which bytes that are not UTF-8 are replaced. */
export const lenientQuery = (query: string): Input => nested(new URLSearchParams(query));

/** Yields the pairs of a query without escapes, which is faster and the common case. */
function* plainPairs(query: string): Iterable<[string, string]> {
  for (const pair of query.split('&')) {
    const mark = pair.indexOf('=');
    if (pair !== '') yield mark < 0 ? [pair, ''] : [pair.slice(0, mark), pair.slice(mark + 1)];
  }
}

/** Parses a multipart body. */
export async function formIn(body: Uint8Array, type: string): Promise<FormData> {
  const form = await new Response(body, { headers: { 'content-type': type } }).formData().catch(() => {
    throw new Failure('bad-request', 'Invalid multipart body');
  });
  for (const [name, value] of form)
    for (const text of [name, typeof value === 'string' ? value : value.name]) checkDecoded('the form', text, body);
  return form;
}

/** The values of a form. Throws `bad-request` if it is not UTF-8. */
function formOf(body: Uint8Array): Input {
  return nested(new URLSearchParams(checkEncoded('the form', decodedAt('the form', body))));
}

/** Throws for files, because uploads are not supported. */
async function multipart(body: Uint8Array, type: string): Promise<Input> {
  const form = await formIn(body, type);
  const pairs: [string, string][] = [];
  for (const [name, value] of form) {
    if (typeof value !== 'string')
      throw new Failure(
        'bad-request',
        `Invalid ${name}: must be text, and not a file`,
        'Upload the image to wp/v2/media, and send its ID as text.',
      );
    pairs.push([name, value]);
  }
  return nested(pairs);
}

const maxJsonDepth = 512;

/** True if lists and objects are nested deeper than PHP accepts. */
function isTooDeep(value: unknown): boolean {
  let level = [value];
  for (let depth = 0; level.length; depth += 1) {
    level = level.flatMap((item) => (item !== null && typeof item === 'object' ? Object.values(item) : []));
    if (depth > maxJsonDepth) return true;
  }
  return false;
}

/** True if an escape is an unpaired surrogate. */
function hasHalf(text: string): boolean {
  const escapes = text.replaceAll('\\\\', '');
  return /\\ud[89ab]..(?!\\ud[c-f])|(?<!\\ud[89ab]..)\\ud[c-f]/i.test(escapes);
}

/** Parses JSON, which is UTF-8 for any declared charset. Throws `rest_invalid_json`. */
export function readJson(bytes: Uint8Array): unknown {
  const invalidJson = (code: number, message: string, hint?: string) =>
    new Failure('rest_invalid_json', 'Invalid JSON in the request body', hint, { json_error_code: code, json_error_message: message });
  const text = decoded(bytes);
  if (text === undefined) throw invalidJson(5, 'Malformed UTF-8 characters, possibly incorrectly encoded', 'Send the body as UTF-8.');
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw invalidJson(4, 'Syntax error');
  }
  if (hasHalf(text)) throw invalidJson(10, 'Single unpaired high surrogate in Unicode escape');
  if (text.length > maxJsonDepth && isTooDeep(value)) throw invalidJson(1, 'Maximum stack depth exceeded');
  return value;
}

const isSpace = (byte: number): boolean => byte === 0x20 || (byte >= 0x09 && byte <= 0x0d);

/** The object in a JSON body; an empty one for other values. */
function objectIn(body: Uint8Array): Input {
  const value = body.every(isSpace) ? undefined : readJson(body);
  return value !== null && typeof value === 'object' && !Array.isArray(value) ? (value as Input) : {};
}

const isJson = (type: string) => /^application\/(json|[\w.+-]+\+json)$/.test(type);
const typeOf = ({ 'content-type': type = '' }: ServerRequest['headers']) => type.toLowerCase().split(';')[0]!.trim();

/** The content type of a body that {@link readInput} ignores; empty for a missing one, undefined for a body that it reads. */
export function ignoredType({ body, headers }: Pick<ServerRequest, 'body' | 'headers'>): string | undefined {
  if (!body.length) return undefined;
  const type = typeOf(headers);
  return isJson(type) || type === 'multipart/form-data' || type === 'application/x-www-form-urlencoded' ? undefined : type;
}

/** True if a body is sent as a form, as `curl -d` does by default, but contains a JSON object. */
export const isJsonForm = ({ body, headers }: Pick<ServerRequest, 'body' | 'headers'>): boolean =>
  body.length > 0 &&
  typeOf(headers) === 'application/x-www-form-urlencoded' &&
  /^\s*\{\s*"/.test(new TextDecoder().decode(body.subarray(0, 100)));

/** Parses a request body by its content type: JSON, form or multipart; empty for other types. Throws `unsupported-encoding` for a compressed one. */
export async function readInput(body: Uint8Array, headers: ServerRequest['headers']): Promise<Input> {
  const { 'content-type': contentType = '', 'content-encoding': encoding = 'identity' } = headers;
  if (!body.length) return {};
  if (!/^(?:identity)?$/i.test(encoding.trim()))
    throw new Failure('unsupported-encoding', `Unsupported Content-Encoding ${encoding}; send the body uncompressed`);
  const type = typeOf(headers);
  if (isJson(type)) return objectIn(body);
  if (type === 'multipart/form-data') return multipart(body, contentType);
  if (type === 'application/x-www-form-urlencoded') return formOf(body);
  return {};
}
