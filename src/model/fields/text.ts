import { decodeEntities } from '../html/plain-text.ts';
import { cleanHtml, cleanTermName, cleanText, cleanTitle, renderContent, renderExcerpt, renderTitle } from '../html/render.ts';
import { unrenderContent, unrenderExcerpt, unrenderTitle } from '../html/unrender.ts';
import { mayUseAnyHtml } from '../viewer.ts';
import { bodySchema, type FieldKind, shownText, type Wire } from './field.ts';
import { slugOf } from './slug.ts';

/** Why a value is no text. */
export const textFault = (value: unknown) => (typeof value === 'string' ? undefined : 'must be text');
const emptyFault = (value: unknown) => textFault(value) ?? (value === '' || value === '0' ? 'must not be empty' : undefined);

/** A text that may not be empty. */
const filledText = { check: emptyFault, accepts: { type: 'string', minLength: 1 } } as const;

/** A value as text; nothing is an empty one. */
export const text = (value: unknown) => String(value ?? '');
/** What every kind of text starts with. */
export const plain = (about: string): Pick<FieldKind, 'about' | 'column' | 'placeholder' | 'schema' | 'wire'> => ({
  about,
  column: { type: 'TEXT', default: '' },
  placeholder: 'text',
  schema: (z) => z.string(),
  wire: { type: 'string' },
});

/** A text that may not be empty once it is given, kept as HTML and shown as a page shows it. */
export const html = (about: string, more: Partial<FieldKind> = {}): FieldKind => ({
  ...plain(about),
  control: 'text',
  ...filledText,
  stored: (value, ctx) => cleanHtml(text(value), mayUseAnyHtml(ctx.viewer)),
  show: (value) => renderContent(String(value)),
  redacted: '',
  fromResponse: (shown) => unrenderContent(shownText(shown)),
  ...more,
});

/** A short text that may not be empty once it is given, kept as HTML. */
export const excerpt = (about: string): FieldKind =>
  html(about, {
    show: (value) => renderExcerpt(String(value)),
    fromResponse: (shown) => unrenderExcerpt(shownText(shown)),
  });

/** What a record is called: never empty, with the little markup that titles may have. A password leaves it, unless it is said otherwise. */
export const title = (about: string, more: Partial<FieldKind> = {}): FieldKind =>
  html(about, {
    control: 'line',
    check: (value) => (typeof value === 'string' && value.trim() === '' ? 'must not be empty' : emptyFault(value)),
    stored: (value, ctx) => cleanTitle(text(value), mayUseAnyHtml(ctx.viewer)),
    show: (value) => renderTitle(String(value)),
    redacted: undefined,
    fromResponse: (shown) => unrenderTitle(shownText(shown)),
    ...more,
  });

/** A text of a category or tag, kept and shown as `clean` leaves it. */
export const termText = (about: string, clean: (typed: string) => string, more: Partial<FieldKind> = {}): FieldKind => ({
  ...plain(about),
  ...filledText,
  stored: (value) => clean(String(value)),
  fromResponse: (shown) => {
    const typed = decodeEntities(shownText(shown));
    return clean(typed) === shownText(shown) ? typed : shownText(shown);
  },
  ...more,
});

/** What a category or tag is called: never empty, without any markup. */
export const termName = (about: string): FieldKind =>
  termText(about, cleanTermName, {
    required: true,
    check: (value) => emptyFault(value) ?? (cleanTermName(text(value)) === '' ? 'must not be empty' : undefined),
  });

/** A text that may be empty, kept as HTML. */
export const prose = (about: string, more: Partial<FieldKind> = {}): FieldKind =>
  html(about, { check: textFault, accepts: bodySchema(more.wire ?? { type: 'string' }), ...more });

/** A text without markup; empty clears it. */
export const line = (about: string, more: Partial<FieldKind> = {}): FieldKind => ({
  ...plain(about),
  check: textFault,
  stored: (value) => cleanText(text(value)),
  redacted: '',
  ...more,
});

/** A text kept as it was sent and never shown; empty clears it. */
export const secret = (about: string): FieldKind => ({
  ...plain(about),
  control: 'secret',
  unindexed: true,
  writeOnly: true,
  check: textFault,
  stored: text,
});

/** The last part of an address, made from any text. */
export const slug = (about: string): FieldKind => ({
  ...plain(about),
  placeholder: 'slug',
  ...filledText,
  stored: (value) => slugOf(text(value)),
  lasting: true,
});

const address = /^([a-z][a-z0-9+.-]*:\/\/[\w[][\x21-\x7e]*|mailto:[\x21-\x7e]+)?$/i;
/** An absolute web address, or empty. A column without a default is null until something is stored. */
export const url = (about: string, wire: Wire, more: Partial<FieldKind> = {}): FieldKind => ({
  ...plain(about),
  placeholder: 'url',
  control: 'address',
  wire,
  check: (value) =>
    value === null ? undefined : (textFault(value) ?? (address.test(String(value)) ? undefined : 'must be an absolute URL')),
  stored: (value) => (value === null && more.column ? null : text(value).replace(/%0[ad]/gi, '')),
  response: { type: 'string', description: about },
  redacted: '',
  fromResponse: (shown) => shownText(shown).replaceAll('&amp;', '&'),
  compared: (shown, entry) => (shown === entry.url ? '' : shownText(shown)),
  ...more,
});
