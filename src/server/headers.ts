import { create, parse } from 'content-disposition';
import vary from 'vary';
import { latin1Bytes } from '../model/formats/bytes.ts';
import { checkEncoded, decodedAt } from './body.ts';
import type { ServerResponse } from './http.ts';

export type Headers = ServerResponse['headers'];

/** Headers that say where a response ends on its connection, and how its body is coded: the socket sets them, nothing else. */
export const framingHeaders: readonly string[] = ['content-length', 'transfer-encoding', 'connection', 'keep-alive', 'content-encoding'];

/** Names that the server reads or sets itself, as it writes them. */
const ownNames = new Map(
  ['Content-Type', 'ETag', 'Vary', 'Date', 'Cache-Control', 'X-Content-Type-Options'].map((name) => [name.toLowerCase(), name]),
);

/** The headers of a function or a fault with one spelling of each name (RFC 9110, 5.1): that of `before`, or the server's own. The last of several values counts. */
export function foreignHeaders(headers: Headers, before: Headers = {}): Headers {
  const names = new Map([...ownNames, ...Object.keys(before).map((name): [string, string] => [name.toLowerCase(), name])]);
  const result: Headers = {};
  for (const [name, value] of Object.entries(headers)) {
    const lower = name.toLowerCase();
    if (framingHeaders.includes(lower)) continue;
    if (!names.has(lower)) names.set(lower, name);
    result[names.get(lower)!] = value;
  }
  return result;
}

/** The names, in lower case, of the headers that a function or a fault set or removed: they stay as they are. */
export function fixedNames(before: Headers, after: Headers, fixed: ReadonlySet<string> = new Set()): ReadonlySet<string> {
  const names = [...Object.keys(before), ...Object.keys(after)].filter((name) => before[name] !== after[name]);
  return new Set([...fixed, ...names.map((name) => name.toLowerCase())]);
}

/** Adds names to a Vary header. */
export const varyOn = (header: string | undefined, names: string): string => (header === undefined ? names : vary.append(header, names));

/** A Content-Disposition header with its name in quotes, as sites send it: the library leaves them out around a name that needs none. */
const fileHeader = (name: string, type: 'inline' | 'attachment'): string =>
  create(name, { type, fallback: name.replace(/[^ -~]/g, '?') }).replace(/^(\w+; filename=)([^"]+)$/, '$1"$2"');

/** A Content-Disposition header for a file that is shown and can be saved under a name. Clients read Latin-1 in it differently, so it is ASCII. */
export const inlineFile = (name: string): string => fileHeader(name, 'inline');

/** The same for a file to save. */
export const attachedFile = (name: string): string => fileHeader(name, 'attachment');

/** The file name in a Content-Disposition header (RFC 6266); undefined if it has none. Throws `bad-request` for one that is not UTF-8. */
export function fileNameIn(header: string): string | undefined {
  const [, encoded = ''] = /;\s*filename\*\s*=\s*utf-?8'[^']*'([^;\s]+)/i.exec(header) ?? [];
  checkEncoded('Content-Disposition', encoded);
  const name = parsedName(header) ?? unquotedName(header);
  // Node decodes headers as Latin-1.
  return name === undefined || encoded !== '' ? name : decodedAt('Content-Disposition', latin1Bytes(name));
}

function parsedName(header: string): string | undefined {
  try {
    return parse(header).parameters.filename;
  } catch {
    return undefined;
  }
}

/** A name with characters that would have to be quoted, which WordPress accepts. */
const unquotedName = (header: string): string | undefined => /;\s*filename\s*=\s*([^;"]+)/i.exec(header)?.[1]?.trim();
