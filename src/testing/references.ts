import type { Calendar, Entry, Input, Ref, Resource, ResourceName } from '../model/calendar.ts';
import { Failure, invalidParams, isMissingRecord } from '../model/error.ts';
import { isObject } from '../model/fields/coerce.ts';
import type { JsonSchema } from '../model/fields/field.ts';
import type { CalendarControl } from '../model/operations/all.ts';
import { everyRecord } from '../model/paging.ts';
import { everyRecordQuery, resources } from '../model/resources/all.ts';
import { resourcesWith } from '../model/resources/declared.ts';
import { isTerms } from '../model/resources/names.ts';
import { namesWithoutEffect, unknownNames, unknownReason } from '../model/unknown-names.ts';
import type { RecordRef } from './calendar.ts';
import { shown } from './guarded.ts';

/** Throws `bad-request` for an invalid reference. */
function refOf(ref: RecordRef): Ref {
  if (typeof ref === 'string') return { slug: ref };
  const object = typeof ref === 'object' && ref !== null ? ref : { id: ref };
  if ('slug' in object && !('id' in object)) return { slug: String(object.slug) };
  const id = 'id' in object ? Number(object.id ?? Number.NaN) : Number.NaN;
  if (Number.isSafeInteger(id) && id >= 0) return { id };
  throw new Failure(
    'bad-request',
    `Invalid reference to a record: ${shown(ref)}`,
    'Pass an ID as a number, a slug as a string, or a record.',
  );
}

/** Returns whether values need the definitions, whose loading takes longer than a request. */
const hasMembers = (values: Input): boolean => Object.keys(values).length > 0;

/** Throws `rest_invalid_param` for members that an action would ignore, with suggestions for unknown ones. */
export async function checkMembers(
  control: Pick<CalendarControl, 'fields'>,
  name: ResourceName,
  action: 'list' | 'get' | 'create' | 'update',
  values: Input,
): Promise<void> {
  if (!hasMembers(values)) return;
  const idle = namesWithoutEffect(resources[name], action, values);
  if (idle.length) throw invalidParams(Object.fromEntries(idle.map((each) => [each, { reason: 'has no effect here' }])));
  if (!unknownNames(resources, name, action, values).length) return;
  // Servers of other programs declare no fields.
  const { fields } = await control.fields({}).catch(() => ({ fields: {} }));
  const unknown = unknownNames(resourcesWith(fields), name, action, values);
  if (unknown.length) throw invalidParams(Object.fromEntries(unknown.map((each) => [each.name, { reason: unknownReason(each) }])));
}

/** Finds the records that callers name by slug, or by a record that they have read. */
export class References {
  constructor(private readonly calendar: Calendar) {}

  /** Runs an action on a record. Throws `not-found` if there is none with this ID or slug. */
  async withRecord<T>(name: ResourceName, reference: RecordRef, input: Input, work: (ref: Ref) => Promise<T>): Promise<T> {
    const recordRef = refOf(reference);
    const ref = 'slug' in recordRef && isTerms(name) ? { id: await this.#idOf(name, recordRef.slug) } : recordRef;
    try {
      return await work(ref);
    } catch (error) {
      throw isMissingRecord(error, ref, input) ? await this.#notFound(name, recordRef) : error;
    }
  }

  /** Restores a record from the trash, by its ID or its former slug. Throws `not-found` if it is not there. */
  async restored(name: ResourceName, reference: RecordRef, status: string): Promise<Entry> {
    const recordRef = refOf(reference);
    const records = this.calendar[name];
    const isNamed = ({ id, slug }: Entry) =>
      'id' in recordRef ? id === recordRef.id : String(slug).replace(/__trashed(-\d+)?$/, '') === recordRef.slug || slug === recordRef.slug;
    for await (const entry of everyRecord(records, { ...everyRecordQuery(resources[name]), status: 'trash' }))
      if (isNamed(entry)) return records.update({ id: entry.id }, { status });
    const which = 'id' in recordRef ? `ID ${recordRef.id}` : `slug ${JSON.stringify(recordRef.slug)}`;
    throw new Failure('not-found', `No ${resources[name].kind} in the trash has the ${which}`);
  }

  /** Returns values with IDs instead of slugs and records, where the API takes IDs only. */
  async withIds(name: ResourceName, action: 'list' | 'create' | 'update', values: Input): Promise<Input> {
    if (!hasMembers(values)) return values;
    const { fields, list }: Resource = resources[name];
    const result = { ...values };
    for (const { name: key, links, accepts, ...field } of action === 'list' ? list.parameters : fields) {
      const value = values[key];
      if (value === undefined || value === null || links === undefined || !(links in resources)) continue;
      const target = links as ResourceName;
      const idIn = (item: unknown): unknown => {
        if (typeof item === 'string') return isIds(item) || takesText(accepts) ? item : this.#idOf(target, item);
        // A linked record may be the data of a new one.
        if (!isObject(item) || ('stored' in field && field.stored.join)) return item;
        return 'id' in item ? item.id : this.#idOf(target, String(item.slug));
      };
      const items = Array.isArray(value)
        ? value
        : typeof value === 'string' && !isIds(value) && !takesText(accepts)
          ? value.split(',')
          : undefined;
      const ids = items && (await Promise.all(items.map((item) => idIn(typeof item === 'string' ? item.trim() : item))));
      result[key] = ids ? (Array.isArray(value) || ids.length > 1 ? ids : ids[0]) : await idIn(value);
    }
    return result;
  }

  /** Returns the ID of the record with a slug. Throws `not-found`. */
  async #idOf(name: ResourceName, slug: string): Promise<number> {
    const records = this.calendar[name];
    if (isTerms(name)) {
      const { entries } = await records.list({ ...everyRecordQuery(resources[name]), slug });
      if (entries[0]) return entries[0].id;
      throw await this.#notFound(name, { slug });
    }
    return this.withRecord(name, slug, {}, async (ref) => (await records.get(ref, { context: 'edit' })).id);
  }

  async #notFound(name: ResourceName, ref: Ref): Promise<Failure> {
    const { kind } = resources[name];
    if ('id' in ref) return new Failure('not-found', `No ${kind} has the ID ${ref.id}`);
    const { similarRecords } = await import('../data/record-names.ts');
    const closest = (await similarRecords(ref.slug, resources[name], this.calendar[name])).map(({ slug }) => slug);
    const hint = closest.length ? `Did you mean ${closest.join(' or ')}?` : undefined;
    return new Failure('not-found', `No ${kind} has the slug ${JSON.stringify(ref.slug)}`, hint);
  }
}

const isIds = (text: string): boolean => /^[\d, ]*$/.test(text);

/** Returns whether a schema accepts any text, and so a slug. */
const takesText = ({ type, pattern, anyOf, items }: JsonSchema): boolean =>
  ([type].flat().includes('string') && pattern === undefined) ||
  (Array.isArray(anyOf) && anyOf.some(takesText)) ||
  (isObject(items) && takesText(items));
