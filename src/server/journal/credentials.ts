import { percentDecoded } from '../../model/coerce.ts';
/** What stands in the place of a secret. */
export const hidden = '[redacted]';

/** Headers that say who somebody is, or let him in, besides those whose names say so. */
const secretHeaders = new Set(['authorization', 'proxy-authorization', 'cookie', 'set-cookie']);
/** How the names of headers, parameters and members end that do: `post_password`, `X-Api-Key`, `accessToken`, `_wpnonce`. */
const secretName = /(password|passwd|secret|token|api[_-]?key|nonce)s?$/i;

/** Whether the header, parameter or member of a name is one; of a parameter like `user[password]`, whether any part of it is. */
export const isSecret = (name: string): boolean =>
  secretHeaders.has(name.toLowerCase()) || name.split(/[[\]]/).some((part) => secretName.test(part));

/** A header without the secret in it; of credentials, their scheme stays. */
export function headerWithoutSecrets(name: string, value: string): string {
  if (name === 'location' || name === 'referer') return withoutSecrets(value);
  if (!isSecret(name)) return value;
  const scheme = /^[\w-]+(?= )/.exec(value);
  return name.endsWith('authorization') && scheme ? `${scheme[0]} ${hidden}` : hidden;
}

/** A query, an address, a form, JSON or multipart without the values of passwords and tokens, also one that was cut off. */
export const withoutSecrets = (text: string): string => (/^\s*["[{]/.test(text) ? jsonWithoutSecrets(text) : textWithoutSecrets(text));

/** A name and a value of a query or a form. */
const pair = /(^|[?&])([^=&?#\s]+)=[^&#]*/g;
/** The head of a part of a multipart body, with its name. */
const partHead = /name="([^"\r\n]*)"/;

const textWithoutSecrets = (text: string): string =>
  withoutSecretParts(
    text.replace(pair, (whole, before: string, name: string) => (isSecret(percentDecoded(name)) ? `${before}${name}=${hidden}` : whole)),
  );

/** A multipart body without the first line of secret parts: what stands behind the empty line that ends their head. */
function withoutSecretParts(text: string): string {
  if (!partHead.test(text)) return text;
  const pieces = text.split(/(\r?\n\r?\n)/);
  const isSecretPart = (head: string | undefined): boolean => head !== undefined && isSecret(partHead.exec(head)?.[1] ?? '');
  return pieces.map((piece, i) => (i % 2 === 0 && isSecretPart(pieces[i - 2]) ? piece.replace(/^[^\r\n]*/, hidden) : piece)).join('');
}

/** A text of JSON, also one that was cut off; a sign; or what stands between these. */
const token = /"(?:[^"\\]|\\.)*(?:"|\\?$)|[[\]{}:,]|[^"[\]{}:,]+/gs;

/** JSON as it is written, but for members that are secret, whatever they hold, and for secrets in the addresses among its texts. */
function jsonWithoutSecrets(text: string): string {
  const tokens = text.match(token) ?? [];
  let plain = '';
  let name = '';
  for (let at = 0; at < tokens.length; at++) {
    const each = tokens[at]!;
    if (each.startsWith('"')) name = each;
    plain += each.replace(/(?<=^").*?(?="?$)/s, textWithoutSecrets);
    if (each !== ':' || !isSecret(nameIn(name))) continue;
    plain += `"${hidden}"`;
    at = lastOfValue(tokens, at);
  }
  return plain;
}

const isOpening = (each: string | undefined) => each === '[' || each === '{';
const isClosing = (each: string | undefined) => each === ']' || each === '}';

/** Where the value ends that begins after a token. */
function lastOfValue(tokens: readonly string[], colon: number): number {
  let depth = 0;
  for (let at = colon + 1; at < tokens.length; at++) {
    if (depth === 0 && (tokens[at] === ',' || isClosing(tokens[at]))) return at - 1;
    depth += Number(isOpening(tokens[at])) - Number(isClosing(tokens[at]));
  }
  return tokens.length;
}

function nameIn(token: string): string {
  try {
    return String(JSON.parse(token));
  } catch {
    return token;
  }
}
