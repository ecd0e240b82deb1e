import { decodeEntities } from '../html/plain-text.ts';
import { renderContent, renderExcerpt, renderTitle, unrenderContent, unrenderExcerpt, unrenderTitle } from '../html/render.ts';
import { cleanHtml, cleanTermName, cleanText, cleanTitle } from '../html/sanitize.ts';
import { mayUseAnyHtml } from '../viewer.ts';
import { bodySchema, type FieldKind, kindOf, orNull, responseText, takesNull, type Wire } from './field.ts';
import { slugOf } from './slug.ts';

export const textFault = (value: unknown) => (typeof value === 'string' ? undefined : 'must be text');
const emptyFault = (value: unknown) => textFault(value) ?? (value === '' || value === '0' ? 'must not be empty' : undefined);

/** A text that may not be empty. */
const filledText = { check: emptyFault, accepts: { type: 'string', minLength: 1 } } as const;

/** Converts a value to text; null becomes an empty text. */
export const text = (value: unknown) => String(value ?? '');
/** Common members of text fields. */
export const plain = (about: string): Pick<FieldKind, 'about' | 'placeholder' | 'schema' | 'wire' | 'stored'> => ({
  about,
  placeholder: 'text',
  wire: { type: 'string' },
  schema: (z) => z.string(),
  stored: { column: { type: 'TEXT', default: '' } },
});

/** HTML that must not be empty; shown as a page renders it. */
export const html = (about: string, more: Partial<FieldKind> = {}): FieldKind =>
  kindOf(
    plain(about),
    {
      ...filledText,
      stored: { value: (value, ctx) => cleanHtml(text(value), mayUseAnyHtml(ctx.viewer)) },
      shown: { value: (value) => renderContent(String(value)), redacted: '' },
      control: 'text',
      compared: { input: (value) => unrenderContent(responseText(value)) },
    },
    more,
  );

/** Short HTML text that must not be empty. */
export const excerpt = (about: string): FieldKind =>
  html(about, {
    shown: { value: (value) => renderExcerpt(String(value)) },
    compared: { input: (value) => unrenderExcerpt(responseText(value)) },
  });

/** A title: never empty, with limited markup. Visible without the password unless redacted. */
export const title = (about: string, more: Partial<FieldKind> = {}): FieldKind =>
  kindOf(
    html(about),
    {
      check: (value) => (typeof value === 'string' && value.trim() === '' ? 'must not be empty' : emptyFault(value)),
      stored: { value: (value, ctx) => cleanTitle(text(value), mayUseAnyHtml(ctx.viewer)) },
      shown: { value: (value) => renderTitle(String(value)), redacted: undefined },
      control: 'line',
      compared: { input: (value) => unrenderTitle(responseText(value)) },
    },
    more,
  );

/** A text of a category or tag, stored and shown as `clean` returns it. */
export const termText = (about: string, clean: (typed: string) => string, more: Partial<FieldKind> = {}): FieldKind =>
  kindOf(
    plain(about),
    {
      ...filledText,
      stored: { value: (value) => clean(String(value)) },
      compared: {
        input: (value) => {
          const typed = decodeEntities(responseText(value));
          return clean(typed) === responseText(value) ? typed : responseText(value);
        },
      },
    },
    more,
  );

/** The name of a term: never empty, without markup. */
export const termName = (about: string): FieldKind =>
  termText(about, (typed) => cleanTermName(typed), {
    required: true,
    check: (value) => emptyFault(value) ?? (cleanTermName(text(value)) === '' ? 'must not be empty' : undefined),
  });

/** HTML that may be empty. */
export const prose = (about: string, more: Partial<FieldKind> = {}): FieldKind =>
  kindOf(html(about), { check: textFault, accepts: bodySchema(more.wire ?? { type: 'string' }) }, more);

/** One line of text without markup; empty clears it. */
export const line = (about: string, more: Partial<FieldKind> = {}): FieldKind =>
  kindOf(
    plain(about),
    {
      check: textFault,
      stored: { value: (value) => cleanText(text(value)) },
      shown: { redacted: '' },
    },
    more,
  );

/** A text that is never shown; empty clears it. */
export const secret = (about: string): FieldKind =>
  kindOf(plain(about), {
    unindexed: true,
    check: textFault,
    stored: { value: text },
    shown: { writeOnly: true },
    control: 'secret',
  });

/** A URL slug, made from any text. */
export const slug = (about: string): FieldKind =>
  kindOf(plain(about), {
    placeholder: 'slug',
    ...filledText,
    nothing: { isRefused: true },
    stored: { value: (value) => slugOf(text(value)) },
  });

const address = /^([A-Za-z][A-Za-z0-9+.-]*:\/\/[\w[][\x21-\x7e]*|[Mm][Aa][Ii][Ll][Tt][Oo]:[\x21-\x7e]+)?$/;
/** An absolute URL, or empty. A column without a default is null until something is stored. */
export const url = (about: string, wire: Wire, more: Partial<FieldKind> = {}): FieldKind =>
  kindOf(
    plain(about),
    {
      placeholder: 'url',
      wire,
      accepts: takesNull(wire) ? orNull({ type: 'string', pattern: address.source }) : { type: 'string', pattern: address.source },
      check: (value) =>
        value === null ? undefined : (textFault(value) ?? (address.test(String(value)) ? undefined : 'must be an absolute URL')),
      stored: { value: (value) => (value === null && more.stored?.column ? null : text(value).replace(/%0[ad]/gi, '')) },
      shown: { schema: { type: 'string', description: about }, redacted: '' },
      control: 'address',
      compared: {
        input: (value) => responseText(value).replaceAll('&amp;', '&'),
        value: (value, entry) => (value === entry.url ? '' : responseText(value)),
      },
    },
    more,
  );
