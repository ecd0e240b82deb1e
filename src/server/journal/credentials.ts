import { isObject, percentDecoded } from '../../model/fields/coerce.ts';
import { pageHeader } from '../../model/web-page.ts';
import { joinPieces, type ServerResponse } from '../http.ts';

/** The text that replaces a secret. */
export const hidden = '[redacted]';

/** Headers with credentials, besides those with a telling name. */
const secretHeaders = new Set(['authorization', 'proxy-authorization', 'cookie', 'set-cookie', pageHeader]);
/** Matches the end of names of secret headers, parameters and members: `post_password`, `X-Api-Key`, `accessToken`, `_wpnonce`. */
const secretName = /(password|passwd|secret|token|api[_-]?key|access[_-]?key|credential|signature|nonce)s?$/i;
/** Matches names with a short word for a secret at their end: `X-Auth`, `session_id`, `userPwd`, but not `coauth` or `possession`. */
const secretWord = /(^|[_-])(pwd|auth|jwt|sig|session)(_id)?$/;
const inWords = (name: string): string => name.replace(/([a-z])(?=[A-Z])/g, '$1_').toLowerCase();

/** True if a name is that of a secret; of a parameter like `user[password]`, if a part of it is. */
export const isSecret = (name: string): boolean =>
  secretHeaders.has(name.toLowerCase()) || name.split(/[[\]]/).some((part) => secretName.test(part) || secretWord.test(inWords(part)));

/** Replaces the secret in a header, except for the scheme of credentials. */
export function headerWithoutSecrets(name: string, value: string): string {
  if (name === 'location' || name === 'referer') return withoutSecrets(value);
  if (!isSecret(name)) return value;
  const scheme = /^[\w-]+(?= )/.exec(value);
  return name.endsWith('authorization') && scheme ? `${scheme[0]} ${hidden}` : hidden;
}

/** Replaces passwords and tokens in a query, a URL, a form, JSON or multipart. Of truncated JSON with such a member, nothing is left. */
export const withoutSecrets = (text: string): string => {
  if (!/^\s*["[{]/.test(text)) return textWithoutSecrets(text);
  return mayHaveSecrets(text) ? jsonWithoutSecrets(text) : text;
};

/** Maximum number of names that are kept. */
const maxNames = 1000;
/** Names of members and parameters that are not those of secrets. */
const plainNames = new Set<string>();

/** The same as {@link isSecret}, which takes longer than all else in a long list. */
function isSecretName(name: string): boolean {
  if (plainNames.has(name)) return false;
  if (isSecret(name)) return true;
  if (plainNames.size >= maxNames) plainNames.clear();
  plainNames.add(name);
  return false;
}

/** True if a text of JSON has a secret member, or a value with a secret: parsing a long list takes ten times as long as this. */
function mayHaveSecrets(text: string): boolean {
  const strings = new RegExp(jsonString);
  for (let token = strings.exec(text); token !== null; token = strings.exec(text)) {
    const [, string = '', colon] = token;
    if (colon ? isSecretName(stringIn(string)) : string.includes('=') && mayHaveSecretPairs(stringIn(string))) return true;
  }
  return false;
}

function mayHaveSecretPairs(text: string): boolean {
  if (text.includes('name="')) return true;
  const pairs = new RegExp(pair);
  for (let match = pairs.exec(text); match !== null; match = pairs.exec(text)) if (isSecretName(percentDecoded(match[2]!))) return true;
  return false;
}

/** Matches a name and a value in a query or a form. */
const pair = /(^|[?&])([^=&?#\s]+)=[^&#]*/g;
/** Matches the name in the head of a multipart part. */
const partHead = /name="([^"\r\n]*)"/;

const textWithoutSecrets = (text: string): string =>
  withoutSecretParts(
    text.replace(pair, (whole, before: string, name: string) => (isSecret(percentDecoded(name)) ? `${before}${name}=${hidden}` : whole)),
  );

/** Replaces the first line of secret parts of a multipart body. */
function withoutSecretParts(text: string): string {
  if (!partHead.test(text)) return text;
  const pieces = text.split(/(\r?\n\r?\n)/);
  const isSecretPart = (head: string | undefined): boolean => head !== undefined && isSecret(partHead.exec(head)?.[1] ?? '');
  return pieces.map((piece, i) => (i % 2 === 0 && isSecretPart(pieces[i - 2]) ? piece.replace(/^[^\r\n]*/, hidden) : piece)).join('');
}

/** Matches a JSON string, also a truncated one, and the colon after a name. */
const jsonString = /"((?:[^"\\]|\\.)*)"?\s*(:?)/gs;

/** Replaces the values of secret members, and secrets in URLs. JSON without secrets stays as it is written. */
function jsonWithoutSecrets(text: string): string {
  try {
    const value: unknown = JSON.parse(text);
    const plain = JSON.stringify(value, (name, each) => {
      if (isSecret(name)) return hidden;
      return typeof each === 'string' ? textWithoutSecrets(each) : each;
    });
    return plain === JSON.stringify(value) ? text : plain;
  } catch {
    const names = [...text.matchAll(jsonString)].flatMap(([, name, colon]) => (colon ? [stringIn(name!)] : []));
    return names.some(isSecret) ? hidden : textWithoutSecrets(text);
  }
}

/** The text of a JSON string, which may be incomplete. */
function stringIn(text: string): string {
  if (!text.includes('\\')) return text;
  try {
    return JSON.parse(`"${text}"`);
  } catch {
    return text;
  }
}

/** Why a request failed, or how to improve it. */
interface Reason {
  code?: string;
  message?: string;
  hint?: string;
}

type Answered = Pick<ServerResponse, 'status' | 'body'> & { headers: Readonly<Record<string, string | undefined>> };

/** Maximum size of a body that is read for its error, in bytes. */
const maxErrorBytes = 64 << 10;

/** Code, message and hint of a response; nothing for one that succeeded without a hint. */
function reasonOf({ status, headers, body }: Answered): Reason {
  const header = Object.entries(headers).find(([name]) => /-hint$/i.test(name))?.[1];
  const hint = header === undefined ? {} : { hint: percentDecoded(header) };
  const bytes = status < 400 ? undefined : joinPieces(body);
  if (!bytes?.length || bytes.length > maxErrorBytes) return hint;
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(bytes));
    if (!isObject(value)) return hint;
    const members = (['code', 'message', 'hint'] as const).filter((name) => typeof value[name] === 'string');
    return { ...Object.fromEntries(members.map((name) => [name, withoutSecrets(String(value[name]))])), ...hint };
  } catch {
    return hint;
  }
}

/** Code, message and hint of a response as one line, with the fault that made it: a client sees only the page of a proxy. */
export function reasonText(response: Answered, injectedBy?: number): string {
  const { code, message, hint } = reasonOf(response);
  const error = [code, message].filter((part) => part !== undefined).join(': ');
  const fault = injectedBy === undefined ? '' : `Injected by fault ${injectedBy}`;
  return [error, ...(hint === undefined ? [] : [`(${hint})`]), ...(error.includes(fault) ? [] : [fault])]
    .filter((part) => part !== '')
    .join(' ');
}
