import type { RequestContext } from '../context.ts';
import type { Fault } from '../error.ts';
import { capitalized, withArticle } from '../grammar.ts';
import { isPoster } from '../images/poster-image.ts';
import { type Doubt, doubt } from '../mistakes/table.ts';
import type { Entry, Input } from '../record.ts';
import { mayUpload } from '../viewer.ts';
import { isImageUrl, isObject, listOf, quoted, termsOf, toWholeNumber } from './coerce.ts';
import { digits, type Field, type FieldKind, type JsonSchema, kindOf, type Wire, type Zod } from './field.ts';

/** A resource that values refer to. */
export interface ResourceRef {
  name: string;
  kind: string;
}

export const embedded = (value: unknown): Entry[] =>
  (Array.isArray(value) ? value : value && typeof value === 'object' ? [value] : []).filter(
    (each) => typeof each?.id === 'number' || /^\d+$/.test(each?.id),
  ) as Entry[];

const linkedRecord = (example?: string) => (z: Zod) => {
  const schema = z.union([z.int(), z.string()]);
  return example === undefined ? schema : schema.meta({ examples: [example] });
};
const someOf = (example: string) => (z: Zod) => {
  const one = z.union([z.string(), z.int(), z.record(z.string(), z.unknown())]);
  return z.union([z.array(one), one]).meta({ examples: [[example]] });
};

/** Maximum number of records that a field links to, because new ones are created in the same change. */
const maxLinkedRecords = 500;
const countFault = (items: readonly unknown[]): string | undefined =>
  items.length > maxLinkedRecords ? `must have at most ${maxLinkedRecords} records, not ${items.length}` : undefined;

/** An existing user. */
export const author = (about: string, wire: Wire = { type: 'integer' }, always?: true): FieldKind => ({
  about,
  placeholder: 'user',
  links: 'users',
  wire,
  check: (value, ctx) => {
    const id = toWholeNumber(value);
    return id !== undefined && id > 0 && ctx.store.hasUser(id) ? undefined : `${quoted(value)} is not the ID of a user`;
  },
  schema: linkedRecord(),
  nothing: { isIgnored: true, input: 1 },
  stored: { column: { type: 'INTEGER', default: 1 }, value: (value) => Number(value) },
  shown: { value: (value) => String(value), schema: { type: 'string', description: about, pattern: '^\\d+$' }, always },
  control: 'number',
  compared: {
    input: (value) => Number(value) || undefined, // Users differ between calendars.
    value: null,
  },
});

/** Schema of an embedded record, which stands for its ID. */
const withId: JsonSchema = { type: 'object', required: ['id'], properties: { id: digits } };

/** The URL of an image in a response; empty for none and for a poster. */
export const imageUrl = (value: unknown): string =>
  value && typeof value === 'object' && 'url' in value && !isPoster(value) ? String(value.url) : '';

/** An ID, or a URL of the characters that {@link isImageUrl} accepts. */
const imagePattern = '\\d+|[Hh][Tt][Tt][Pp][Ss]?:\\/\\/[\\x21-\\x7e]+';

/** Doubts about values that are as in a response: objects, and `false`. */
const sentAsRead = (value: unknown): Doubt[] => {
  const items = [value].flat().filter((item) => item === false || (item !== null && typeof item === 'object'));
  return items.slice(0, 1).map((item) => doubt('whole-record', item === false ? 'false' : 'an object'));
};

/** An image: the ID of an existing one, or the URL of one to add. */
export const image = (about: string, { clearable = false } = {}): FieldKind => ({
  about,
  placeholder: 'image',
  links: 'images',
  wire: { type: 'string' },
  accepts: { anyOf: [{ type: 'string', pattern: clearable ? `^(${imagePattern})?$` : `^(${imagePattern})$` }, withId] },
  check: (value, ctx) => {
    if (clearable && value === '') return undefined;
    const id = toWholeNumber(value);
    if (id !== undefined) return ctx.store.hasImage(id) ? undefined : `${quoted(value)} is not the ID of an image`;
    if (typeof value !== 'string' || !isImageUrl(value))
      return 'must be the ID or URL of an image (http or https, ending in .jpg, .png, …)';
    return mayUpload(ctx.viewer) ? undefined : 'must be the ID of an existing image; this user is not allowed to add images';
  },
  doubts: sentAsRead,
  schema: linkedRecord('https://example.org/poster.jpg'),
  nothing: { isIgnored: true },
  stored: { column: { type: 'INTEGER', references: 'images' } },
  shown: {
    value: (_value, _row, related) => related.image,
    schema: { anyOf: [{ $ref: '#/components/schemas/Image' }, { const: false }], description: 'Image, or false if there is none' },
    redacted: false,
  },
  control: 'image',
  compared: { input: imageUrl, value: imageUrl },
});

/** The ID of one record; 0 for none. */
const one = (about: string, { name, kind }: ResourceRef, fault: (value: unknown, ctx: RequestContext) => string | undefined) => ({
  about,
  placeholder: 'id',
  links: name,
  wire: { type: 'integer' } as const,
  check: (value: unknown, ctx: RequestContext) => (toWholeNumber(value) === 0 ? undefined : fault(value, ctx)),
  schema: linkedRecord(`@key of a ${kind}`),
  nothing: { input: 0, isIgnored: true },
  control: 'record' as const,
});

/** The ID of an event, venue, organizer…; 0 for none. */
export const toOne = (about: string, target: ResourceRef, more: Partial<FieldKind> = {}): FieldKind =>
  kindOf(
    one(about, target, (value, ctx) => postFault(value, target, ctx)),
    {
      stored: { column: { type: 'INTEGER', references: target.name }, value: (value) => toWholeNumber(value) || null },
    },
    more,
  );

/** Returns why a value isn't the ID of a record. */
export function postFault(value: unknown, { name, kind }: ResourceRef, ctx: RequestContext): string | undefined {
  const id = toWholeNumber(value);
  return id !== undefined && ctx.store.hasPost(name, id) ? undefined : `${quoted(value)} is not the ID of ${withArticle(kind)}`;
}

const schemaOf = ({ kind }: ResourceRef): JsonSchema => ({ $ref: `#/components/schemas/${capitalized(kind)}` });

/** Records in a table of links: IDs, `{id}`, or data of new records. */
export function toMany(about: string, target: ResourceRef & { fields: readonly Field[] }, more: Partial<FieldKind> = {}): FieldKind {
  const { name, kind } = target;
  const newRecord = { $ref: `#/components/schemas/New${capitalized(kind)}` };
  return kindOf(
    { about },
    {
      placeholder: 'id',
      links: name,
      many: true,
      wire: { items: { type: 'integer' }, default: null },
      accepts: {
        anyOf: [
          { type: 'integer' },
          { type: 'string', pattern: '^[\\d, ]*$' },
          { type: 'null' },
          withId,
          newRecord,
          { type: 'array', maxItems: maxLinkedRecords, items: { anyOf: [digits, withId, newRecord] } },
        ],
      },
      check: (value, ctx) => linkFault(value, target, ctx),
      schema: someOf(`@key of a ${kind}`),
      nothing: { input: [] },
      stored: { join: { items: linkItems, show: (linked) => linked } },
      shown: { schema: { type: 'array', items: schemaOf(target), description: `Linked ${name}` }, redacted: [] },
      control: 'records',
      compared: { input: () => undefined, value: (value, _entry, linked) => embedded(value).map(({ id }) => linked(name, Number(id))) },
    },
    more,
  );
}

/** Links that are shown as an object if there is exactly one, else as a list. */
export const toOneOrMany = (about: string, target: ResourceRef & { fields: readonly Field[] }, more: Partial<FieldKind> = {}): FieldKind =>
  kindOf(
    toMany(about, target),
    {
      nothing: { input: 0 },
      stored: { join: { items: linkItems, show: (linked) => (linked.length === 1 ? linked[0] : linked) } },
      shown: {
        schema: {
          anyOf: [schemaOf(target), { type: 'array', items: schemaOf(target), description: 'Empty, or several records' }],
          description: `${about}; an object if there is exactly one, otherwise a list`,
        },
      },
    },
    more,
  );

/** The items to link: IDs, objects with an `id`, or data of new records. Nothing, 0 and empty objects are left out. */
const linkItems = (value: unknown): unknown[] =>
  listOf(value).filter((item) => item !== 0 && item !== '0' && item !== '' && !(isObject(item) && !Object.keys(item).length));

/** Returns why a value can't be linked to: each item is an ID, an object with an `id`, or data for a new record. */
function linkFault(value: unknown, target: ResourceRef & { fields: readonly Field[] }, ctx: RequestContext): string | undefined {
  const items = linkItems(value);
  const tooMany = countFault(items);
  if (tooMany) return tooMany;
  for (const item of items) {
    const isNew = typeof item === 'object' && item !== null && !('id' in item);
    const fault = isNew
      ? newRecordFault(item as Input, target.fields, ctx)
      : postFault(typeof item === 'object' && item !== null ? (item as Input).id : item, target, ctx);
    if (fault) return fault;
  }
  return undefined;
}

function newRecordFault(input: Input, fields: readonly Field[], ctx: RequestContext): string | undefined {
  for (const { name, required, wire, check } of fields) {
    const value = input[name];
    if (required && (value ?? undefined) === undefined) return `${name} is required`;
    // An empty name passes the check and fails with could-not-create-venue later.
    const fault = value === undefined || value === null || (required && value === '') ? undefined : check(value, ctx);
    if (fault) return `${name}: ${typeof fault === 'string' ? fault : (fault as Fault).reason}`;
    if (Array.isArray(value) && wire.type) return `${name}: must be a single value`;
  }
  return undefined;
}

/** Linked terms: IDs, slugs or names; unknown names are created. */
export const toTerms = (about: string, target: ResourceRef): FieldKind => ({
  about,
  placeholder: 'name',
  links: target.name,
  many: true,
  makesNew: true,
  wire: { items: { type: 'integer' }, default: null },
  accepts: {
    anyOf: [
      { type: ['integer', 'string', 'null'] },
      withId,
      { type: 'array', maxItems: maxLinkedRecords, items: { anyOf: [{ type: ['integer', 'string'] }, withId] } },
    ],
  },
  check: (value) => {
    const items = termsOf(value);
    return items.some((item) => typeof item === 'object') ? 'must be IDs, slugs or names' : countFault(items);
  },
  // Other texts are names, which create terms.
  doubts: (value, { store }) => [
    ...sentAsRead(value),
    ...termsOf(value)
      .filter((item) => toWholeNumber(item) !== undefined && store.findTerm(target.name, item as string | number) === undefined)
      .map((item) => doubt('unknown-term', quoted(item), target.kind)),
  ],
  schema: someOf(`@key of a ${target.kind}`),
  nothing: { input: [] },
  stored: { join: { items: termsOf, show: (linked) => linked } },
  shown: {
    schema: { type: 'array', items: { $ref: '#/components/schemas/EmbeddedTerm' }, description: `Linked ${target.name}` },
    redacted: [],
  },
  control: 'terms',
  compared: {
    input: () => undefined,
    value: (value, _entry, linked) =>
      embedded(value)
        .map(({ id }) => String(linked(target.name, Number(id))))
        .sort(),
  },
});

/** The parent of a term; 0 for none. */
export const toTerm = (about: string, target: ResourceRef): FieldKind =>
  kindOf(
    one(about, target, (value, ctx) => termFault(value, target, ctx)),
    {
      stored: {
        column: { type: 'INTEGER', default: 0 },
        // Digits can be a slug as well as an ID.
        value: (value, ctx) =>
          value === '' || toWholeNumber(value) === 0 ? 0 : ctx.store.findTerm(target.name, value as string | number)!,
      },
      compared: { input: () => undefined, value: (value, _entry, linked) => (value ? linked(target.name, Number(value)) : 0) },
    },
  );

/** Returns why a value is not a term, by slug or ID. */
export function termFault(value: unknown, { name, kind }: ResourceRef, ctx: RequestContext): string | undefined {
  const exists = (typeof value === 'string' || typeof value === 'number') && ctx.store.findTerm(name, value) !== undefined;
  return exists ? undefined : `${quoted(value)} is not the ID or slug of ${withArticle(kind)}`;
}
