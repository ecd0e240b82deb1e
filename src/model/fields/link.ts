import { isImageUrl, quoted, termsOf, wholeNumber } from '../coerce.ts';
import type { PostKind, RequestContext, TermKind } from '../context.ts';
import type { Entry } from '../record.ts';
import { mayUpload } from '../viewer.ts';
import { digits, type Field, type FieldKind, type JsonSchema, type Wire, type Zod } from './field.ts';

/** The resource of the records of each kind. */
export const resourceOfKind = { event: 'events', venue: 'venues', organizer: 'organizers', category: 'categories', tag: 'tags' } as const;

/** The records that a member of an answer embeds: several, one, or none. */
export const embedded = (value: unknown): Entry[] =>
  (Array.isArray(value) ? value : value && typeof value === 'object' ? [value] : []).filter(
    (each) => typeof each?.id === 'number' || /^\d+$/.test(each?.id),
  ) as Entry[];

const oneOf = (example?: string) => (z: Zod) => {
  const schema = z.union([z.int(), z.string()]);
  return example === undefined ? schema : schema.meta({ examples: [example] });
};
const someOf = (example: string) => (z: Zod) => {
  const one = z.union([z.string(), z.int(), z.record(z.string(), z.unknown())]);
  return z.union([z.array(one), one]).meta({ examples: [[example]] });
};

/** How many records of a kind one event can be linked to: each new one is made with it. */
const mostLinked = 500;
/** What is wrong with the number of items that an event is to be linked to. */
export const countFault = (items: readonly unknown[]): string | undefined =>
  items.length > mostLinked ? `must hold at most ${mostLinked}: these are ${items.length}` : undefined;

/** An existing user. */
export const author = (about: string, wire: Wire = { type: 'integer' }): FieldKind => ({
  about,
  placeholder: 'user',
  control: 'number',
  schema: oneOf(),
  wire,
  check: (value, ctx) => {
    const id = wholeNumber(value);
    return id !== undefined && id > 0 && ctx.store.hasUser(id) ? undefined : `is not the ID of a user: ${quoted(value)}`;
  },
  column: { type: 'INTEGER', default: 1 },
  stored: (value) => Number(value),
  ignoresNull: true,
  empty: 1,
  links: 'users',
  show: (value) => String(value),
  answer: { type: 'string', description: about, pattern: '^\\d+$' },
  always: true,
  fromAnswer: (shown) => Number(shown) || undefined,
  // Users are a calendar's own.
  compared: null,
});

/** A record that was read, which its ID stands for. */
const withId: JsonSchema = { type: 'object', required: ['id'], properties: { id: digits } };

/** The address of an image as answers show it. */
const addressOf = (shown: unknown): string => (shown && typeof shown === 'object' && 'url' in shown ? String(shown.url) : '');

/** An image: the ID of a kept one, or the address of one to keep. */
export const image = (about: string, { clearable = false } = {}): FieldKind => ({
  about,
  placeholder: 'image',
  schema: oneOf('https://example.org/poster.jpg'),
  wire: { type: 'string' },
  accepts: { anyOf: [{ type: 'string' }, withId] },
  check: (value, ctx) => {
    if (clearable && value === '') return undefined;
    const id = wholeNumber(value);
    if (id !== undefined) return ctx.store.hasImage(id) ? undefined : `is not the ID of an image: ${quoted(value)}`;
    if (typeof value !== 'string' || !isImageUrl(value))
      return 'must be the ID of an image, or an image address (http or https, ending in .jpg, .png, …)';
    return mayUpload(ctx.viewer) ? undefined : 'must be the ID of an image: this user may not add images';
  },
  column: { type: 'INTEGER', references: 'images' },
  ignoresNull: true,
  links: 'images',
  show: (_value, _row, related) => related.image,
  answer: { anyOf: [{ $ref: '#/components/schemas/Image' }, { const: false }], description: 'its picture, false where it has none' },
  redacted: false,
  fromAnswer: addressOf,
  compared: addressOf,
});

/** One record of a kind, which its ID names; 0 for none. */
const one = (about: string, kind: PostKind | TermKind, fault: (value: unknown, ctx: RequestContext) => string | undefined) => ({
  about,
  placeholder: 'id',
  control: 'number' as const,
  schema: oneOf(`@key of a ${kind}`),
  wire: { type: 'integer' } as const,
  check: (value: unknown, ctx: RequestContext) => (wholeNumber(value) === 0 ? undefined : fault(value, ctx)),
  ignoresNull: true,
  empty: 0,
  links: resourceOfKind[kind],
});

/** The ID of one post of a kind; 0 for none. */
export const reference = (about: string, kind: PostKind, more: Partial<FieldKind> = {}): FieldKind => ({
  ...one(about, kind, (value, ctx) => postFault(value, kind, ctx)),
  column: { type: 'INTEGER', references: `${kind}s` },
  stored: (value) => wholeNumber(value) || null,
  ...more,
});

/** Why a value is not the ID of a record of this kind. */
export function postFault(value: unknown, kind: PostKind, ctx: RequestContext): string | undefined {
  const id = wholeNumber(value);
  return id !== undefined && ctx.store.hasPost(kind, id)
    ? undefined
    : `is not the ID of an ${kind}: ${quoted(value)}`.replace(/an ([^aeiou])/, 'a $1');
}

/** The schema of what makes a record. */
const newRecord = (kind: PostKind) => `#/components/schemas/New${kind[0]!.toUpperCase()}${kind.slice(1)}`;

/** Venues or organizers that an event is linked to: IDs, `{id}`, or the data of new ones. */
export const links = (
  about: string,
  kind: Exclude<PostKind, 'event'>,
  check: Field['check'],
  more: Partial<FieldKind> = {},
): FieldKind => ({
  about,
  placeholder: 'id',
  control: 'records',
  many: true,
  schema: someOf(`@key of a ${kind}`),
  wire: { items: { type: 'integer' }, default: null },
  accepts: {
    anyOf: [
      { type: ['integer', 'string', 'null'], pattern: '^[\\d, ]*$' },
      withId,
      { $ref: newRecord(kind) },
      { type: 'array', maxItems: mostLinked, items: { anyOf: [digits, withId, { $ref: newRecord(kind) }] } },
    ],
  },
  check,
  empty: [],
  links: resourceOfKind[kind],
  show: (_value, _row, related) => related[resourceOfKind[kind]],
  answer: {
    type: 'array',
    items: { $ref: `#/components/schemas/${kind === 'venue' ? 'Venue' : 'Organizer'}` },
    description: `its ${resourceOfKind[kind]}`,
  },
  redacted: [],
  fromAnswer: () => undefined,
  compared: (shown, _entry, linked) => embedded(shown).map(({ id }) => linked(resourceOfKind[kind], Number(id))),
  ...more,
});

/** Terms of an event: IDs, slugs or names; names that do not exist are made. */
export const terms = (about: string, kind: TermKind): FieldKind => ({
  about,
  placeholder: 'name',
  control: 'terms',
  schema: someOf(`@key of a ${kind}`),
  many: true,
  makesNew: true,
  wire: { items: { type: 'integer' }, default: null },
  accepts: {
    anyOf: [
      { type: ['integer', 'string', 'null'] },
      withId,
      { type: 'array', maxItems: mostLinked, items: { anyOf: [{ type: ['integer', 'string'] }, withId] } },
    ],
  },
  check: (value) => {
    const items = termsOf(value);
    return items.some((item) => typeof item === 'object') ? 'must hold IDs, slugs or names' : countFault(items);
  },
  empty: [],
  links: resourceOfKind[kind],
  show: (_value, _row, related) => related[resourceOfKind[kind]],
  answer: { type: 'array', items: { $ref: '#/components/schemas/EmbeddedTerm' }, description: `its ${resourceOfKind[kind]}` },
  redacted: [],
  fromAnswer: () => undefined,
  compared: (shown, _entry, linked) =>
    embedded(shown)
      .map(({ id }) => String(linked(resourceOfKind[kind], Number(id))))
      .sort(),
});

/** The category that a category belongs under; 0 for none. */
export const parentTerm = (about: string, kind: TermKind): FieldKind => ({
  ...one(about, kind, (value, ctx) => termFault(value, kind, ctx)),
  column: { type: 'INTEGER', default: 0 },
  // Digits may be the slug of a category as well as an ID.
  stored: (value, ctx) => (wholeNumber(value) === 0 ? 0 : ctx.store.findTerm(kind, value as string | number)!),
  fromAnswer: () => undefined,
  compared: (shown, _entry, linked) => (shown ? linked(resourceOfKind[kind], Number(shown)) : 0),
});

/** Why a value names no term of this kind, by slug or by ID. */
export function termFault(value: unknown, kind: TermKind, ctx: RequestContext): string | undefined {
  const known = (typeof value === 'string' || typeof value === 'number') && ctx.store.findTerm(kind, value) !== undefined;
  return known ? undefined : `names no ${kind}: ${quoted(value)}`;
}
