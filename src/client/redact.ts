import { Failure } from '../model/error.ts';
import { isHarmless } from './gate.ts';

/** Matches values that are too common to be secrets, and part of JSON without quotes. */
const plainValue = /^(.{0,3}|true|false|null|\d{1,7})$/;

/** Hexadecimal digits as a pattern; the case of these does not count. */
const hex = (code: number, length: number) =>
  code
    .toString(16)
    .padStart(length, '0')
    .replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`);

const escapes: Record<string, string> = { '\n': 'n', '\r': 'r', '\t': 't', '\b': 'b', '\f': 'f' };
const references: Record<string, string> = { '"': 'quot', '&': 'amp', '<': 'lt', '>': 'gt', "'": 'apos' };

/** A pattern of the forms in which a server may repeat a character: as it is, and escaped in JSON (also twice), percent encoding or HTML. */
function formsOf(character: string): string {
  const units = [...Array(character.length).keys()].map((at) => `\\\\{1,4}u${hex(character.charCodeAt(at), 4)}`);
  const bytes = [...Buffer.from(character)].map((byte) => `%(?:25){0,2}${hex(byte, 2)}`);
  const code = character.codePointAt(0)!;
  const name = references[character];
  return [
    `\\\\{0,4}${character.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')}`,
    ...(escapes[character] ? [`\\\\{1,4}${escapes[character]}`] : []),
    ...(character === ' ' ? ['\\+'] : []),
    units.join(''),
    bytes.join(''),
    `&#[xX]0{0,4}${hex(code, 1)};`,
    `&#0{0,4}${code};`,
    ...(name ? [`&${name};`] : []),
  ].join('|');
}

/** Replaces the secrets in the headers of a request, in every form in which a server may repeat them. */
export function redactorOf(headers: Record<string, string>): (text: string) => string {
  const values = Object.entries(headers).flatMap((header) => (isHarmless(header) ? [] : [header[1], ...credentialsIn(header[1])]));
  const secrets = [...new Set(values)].filter((value) => !plainValue.test(value)).sort((a, b) => b.length - a.length);
  if (secrets.length === 0) return (text) => text;
  const pattern = secrets.map((secret) => [...secret].map((character) => `(?:${formsOf(character)})`).join('')).join('|');
  const expression = new RegExp(pattern, 'g');
  return (text) => text.replace(expression, '[redacted]');
}

/** The parts of an Authorization header: what follows the scheme, and the password of Basic. */
function credentialsIn(value: string): string[] {
  const [, scheme = '', credentials = ''] = /^(\w+) +(\S+)$/.exec(value) ?? [];
  if (scheme.toLowerCase() !== 'basic') return [credentials];
  const decoded = Buffer.from(credentials, 'base64').toString();
  return [credentials, decoded.slice(decoded.indexOf(':') + 1)];
}

/** The same error without secrets in its message, hint and data. */
export function redactedError(error: unknown, redact: (text: string) => string): unknown {
  if (!(error instanceof Failure)) return error;
  const texts = (_: string, value: unknown) => (typeof value === 'string' ? redact(value) : value);
  const data = JSON.parse(JSON.stringify(error.data, texts));
  return error.with({ message: redact(error.message), hint: error.hint && redact(error.hint), data });
}
