import fc from 'fast-check';
import { expect, it } from 'vitest';
import { redactorOf } from '../../src/client/redact.ts';

const json = (text: string) => JSON.stringify(text).slice(1, -1);
const units = (text: string, upper: boolean) =>
  text.replace(/./gs, (unit) => {
    const digits = unit.charCodeAt(0).toString(16).padStart(4, '0');
    return `\\u${upper ? digits.toUpperCase() : digits}`;
  });
const bytes = (text: string, upper: boolean) =>
  [...Buffer.from(text)]
    .map((byte) => `%${byte.toString(16).padStart(2, '0')}`.replace(/[a-f]/g, (digit) => (upper ? digit.toUpperCase() : digit)))
    .join('');

/** A text as servers write it: in JSON, as PHP has it, with escapes for every character, in an address, in a form, in HTML. */
const forms: Record<string, (text: string) => string> = {
  'as it is': (text) => text,
  JSON: json,
  'JSON of PHP': (text) =>
    json(text)
      .replaceAll('/', '\\/')
      .replace(/[^\0-\x7f]/g, (unit) => units(unit, false)),
  'JSON in JSON': (text) => json(json(text)),
  'escapes in lower case': (text) => units(text, false),
  'escapes in upper case': (text) => units(text, true),
  'percent encoding': encodeURIComponent,
  'percent encoding in lower case': (text) => encodeURIComponent(text).replace(/%../g, (byte) => byte.toLowerCase()),
  'every byte in percent encoding': (text) => bytes(text, true),
  'every byte in lower case': (text) => bytes(text, false),
  'percent encoding twice': (text) => encodeURIComponent(encodeURIComponent(text)),
  'a form': (text) => new URLSearchParams({ a: text }).toString().slice(2),
  HTML: (text) =>
    text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll("'", '&#039;').replaceAll('<', '&lt;').replaceAll('>', '&gt;'),
  'numbers in HTML': (text) => [...text].map((character) => `&#${character.codePointAt(0)};`).join(''),
};
const samples = [
  'hunter2 secret',
  'a"b\\c/d',
  "p&s<s>'w",
  'pässwörd€',
  'emoji 😀 pass',
  'tab\tnew\nline',
  '%41+b*c?(d)[e]{f}|g^h$',
  'a-b.c_d~e!',
];

it.each(Object.keys(forms).flatMap((form) => samples.map((secret) => [form, secret] as const)))('%s of %j is replaced', (form, secret) => {
  const said = forms[form]!(secret);
  expect(redactorOf({ 'x-key': secret })(`before ${said} after`)).toBe('before [redacted] after');
  const basic = `Basic ${Buffer.from(`user:${secret}`).toString('base64')}`;
  expect(redactorOf({ authorization: basic })(`before ${said} after ${basic}`)).toBe('before [redacted] after [redacted]');
});

it('any secret is replaced in every form', () =>
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', minLength: 8, maxLength: 20 }), fc.constantFrom(...Object.keys(forms)), (secret, form) => {
      fc.pre(!/^\d+$/.test(secret) && secret.isWellFormed());
      expect(redactorOf({ 'x-key': secret })(`<${forms[form]!(secret)}>`)).not.toContain(forms[form]!(secret));
    }),
  ));

it.each(['Secret', 'hunter', ''])('another text stays: %j', (text) => expect(redactorOf({ 'x-key': 'secret-1' })(text)).toBe(text));
