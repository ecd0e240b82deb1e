import type { ZodType } from 'zod';
import type { Resource, ResourceName } from '../calendar.ts';
import type { Problem } from '../error.ts';
import { isObject } from '../fields/coerce.ts';
import type { Zod } from '../fields/field.ts';
import { sitePart } from '../fields/sayings.ts';
import type { Series } from '../ical/occurrence.ts';
import { settingValues } from '../operations/settings.ts';
import { maxId } from '../record.ts';
import { resources } from '../resources/all.ts';
import { type Declarations, declaredFieldsForm, type Resources, resourcesWith } from '../resources/declared.ts';
import { isTerms, resourceNames } from '../resources/names.ts';
import { hasDates, resourceOrder } from '../resources/relations.ts';
import { type NewUser, roles, type UserList, userList } from '../viewer.ts';
import { type FormProblem, formProblems } from './issues.ts';
import { type FixtureRecord, inParentOrder, type KnownKeys, referenceProblems } from './references.ts';

/** A parsed fixture. Records are sorted so that references point backwards. */
export interface Fixture {
  settings: Record<string, string>;
  fields: Declarations;
  users: readonly NewUser[];
  /** URLs by key. */
  images: Record<string, string>;
  records: FixtureRecord[];
  /** Rules of the series that the events belong to. */
  series: Series[];
  /** Records with an invalid structure, by position, with their first problem. */
  invalid: Map<string, Problem>;
}

const sections = ['settings', 'fields', 'users', 'images', 'series', ...resourceOrder];

function extraForm(z: Zod) {
  const saying = z.array(z.unknown()).min(1).max(2).meta({ description: 'Hash of the value here, and the value of the site' });
  const members = z.record(z.string(), z.unknown()).optional();
  const sayings = z.record(z.string(), saying).optional();
  return z.strictObject({
    ...{ list: members, single: members, embedded: members },
    [sitePart]: z
      .strictObject({ url: saying.optional(), list: sayings, single: sayings, embedded: sayings, elsewhere: z.int().optional() })
      .optional(),
  });
}

/** The schema of the members of an exported record that are not fields. */
export const metadataForm = (z: Zod, name?: ResourceName) =>
  z
    .strictObject({
      id: z.int().min(1).max(maxId).describe('ID; kept if it is free'),
      slug: z.string().describe('Last part of the URL (default: the key)'),
      uid: z.string().min(1).describe('Globally unique ID'),
      modified: z.string(),
      modified_utc: z.string(),
      generated: z.int(),
      lineage: z.string().describe('UID of the event that it was copied from'),
      sequence: z.int().min(0).describe('Revision in the imported calendar file'),
      ...(name === undefined || !isTerms(name) ? { poster: z.boolean().describe('True to draw a picture with the title') } : {}),
      ...(name && hasDates(name) ? { repeat: z.string().describe('Recurrence rule with an end, e.g. FREQ=WEEKLY;COUNT=10') } : {}),
      extra: extraForm(z).describe('Members that another site adds to its records, and what it shows otherwise'),
    })
    .partial();

/** The schema of a record: raw text, dates in any supported form, references as `@key`. */
function recordForm(name: ResourceName, z: Zod, { fields, about }: Resource = resources[name]) {
  const shape = Object.fromEntries(
    fields.map((field) => {
      const schema = field.schema(z).describe(field.about);
      return [field.name, field.required ? schema : schema.optional()];
    }),
  );
  return metadataForm(z, name).extend(shape).meta({ id: name, description: about });
}

/** The schema of a record without its fields, which the store validates. */
const membersForm = (resources: Resources) => (name: ResourceName, z: Zod) =>
  metadataForm(z, name).extend(Object.fromEntries(resources[name].fields.map((field) => [field.name, z.unknown().optional()])));

export const seriesForm = (z: Zod) =>
  z.strictObject({
    uid: z.string().min(1).describe('UID of the series; those of its events add # and the recurrence ID'),
    rule: z.string().describe('Recurrence rule (RFC 5545), e.g. FREQ=WEEKLY;COUNT=10'),
    start: z.string().describe('Start of the first event, as a local time'),
    end: z.string().describe('End of the first event, as a local time'),
    timezone: z.string(),
    all_day: z.boolean(),
    from: z.number().describe('First moment for which events were created, in ms since 1970'),
    until: z.number().describe('Last moment for which events were created, in ms since 1970'),
  });

const userForm = (z: Zod) =>
  z.object({ id: z.int().positive().max(maxId).optional(), name: z.string().min(1), role: z.enum(roles), password: z.string().min(1) });

/** The schema of users: a list, or by name. */
export const usersForm = (z: Zod) => z.union([z.array(userForm(z)), z.record(z.string().min(1), userForm(z).omit({ name: true }))]);

/** `formOf` returns the schema of a record. */
export function fixtureForm(z: Zod, formOf: (name: ResourceName, z: Zod) => ZodType = recordForm) {
  const section = (name: ResourceName) => {
    const record = formOf(name, z);
    return z.union([z.record(z.string(), record), z.array(record)]).optional();
  };
  return z
    .strictObject({
      $schema: z.string().optional(),
      settings: settingValues(z).optional(),
      fields: declaredFieldsForm(z).optional(),
      users: usersForm(z).optional(),
      images: z.record(z.string(), z.url()).optional(),
      series: z.array(seriesForm(z)).optional(),
      ...Object.fromEntries(resourceOrder.map((name) => [name, section(name)])),
    })
    .meta({ title: 'A fixture: records by key, with references like "@key"' });
}

/** `resources` may have declared fields. */
export const fixtureSchema = (z: Zod, own: Resources = resources) =>
  z.toJSONSchema(
    fixtureForm(z, (name) => recordForm(name, z, own[name])),
    { target: 'draft-2020-12', io: 'input' },
  );

export const memberNames = (resource: Resource, z: Zod): string[] => Object.keys(recordForm(resource.name, z, resource).shape);

/** Maximum number of problems with suggestions, which are slow to compute. */
const maxSuggestions = 100;

/**
 * Reads a fixture from JSON. Adds the problems of its structure and references to `problems` and omits invalid parts. The store validates the values of fields.
 * Without `z`, the structure is known to be valid.
 */
export function readFixture(document: unknown, problems: Problem[], z: Zod | undefined, declared: Declarations = {}): Fixture {
  const fields = fieldsIn(document, z);
  const formErrors = z === undefined ? [] : structureProblems(document, z, resourcesOf(declared, fields));
  problems.push(
    ...formErrors.map(({ at, reason }) => ({ at, reason: at === '$' ? `${reason} with sections like "events" and "venues"` : reason })),
  );
  if (formErrors.some(({ at }) => at === '$'))
    return { settings: {}, fields: {}, users: [], images: {}, records: [], series: [], invalid: new Map() };
  const faults = new Map<string, Problem>();
  for (const { path, at, reason } of [...formErrors].reverse()) faults.set(`${String(path[0])}:${String(path[1])}`, { at, reason });
  const isValid = (section: string, key: string | number) => !faults.has(`${section}:undefined`) && !faults.has(`${section}:${key}`);
  const { settings, images, users, ...rest } = document as Record<string, Record<string, unknown>>;
  const texts = (section: string, members: Record<string, unknown> = {}) =>
    Object.fromEntries(Object.entries(members).flatMap(([name, value]) => (isValid(section, name) ? [[name, String(value)]] : [])));
  const all = resourceOrder.flatMap((name) => recordsOf(name, rest[name]));
  const faultOf = ({ name, path }: FixtureRecord) =>
    faults.get(`${name}:${path[name.length] === '[' ? path.slice(name.length + 1, -1) : path.slice(name.length + 1)}`);
  const imageAddresses = texts('images', images);
  const recordsIn = (name: ResourceName) => all.filter((record) => record.name === name);
  const keys: KnownKeys = new Map([['images', new Set(Object.keys(imageAddresses))]]);
  for (const name of resourceOrder) keys.set(name, new Set(recordsIn(name).map(({ key }) => key)));
  for (const record of all) problems.push(...referenceProblems(record, keys, problems.length < maxSuggestions));
  return {
    settings: texts('settings', settings),
    fields,
    images: imageAddresses,
    series: ((rest.series ?? []) as unknown as Series[]).filter((_, at) => isValid('series', at)),
    users: userList((users ?? []) as unknown as UserList).filter(({ name }, at) => isValid('users', Array.isArray(users) ? at : name)),
    records: resourceOrder.flatMap((name) => inParentOrder(name, recordsIn(name), problems)),
    invalid: new Map(
      all.flatMap((record) => {
        const fault = faultOf(record);
        return fault ? [[record.path, fault]] : [];
      }),
    ),
  };
}

function structureProblems(document: unknown, z: Zod, own: Resources): FormProblem[] {
  const members = Object.fromEntries(resourceOrder.map((name) => [name, memberNames(own[name], z)]));
  return formProblems(fixtureForm(z, membersForm(own)), document, ([section]) =>
    Object.hasOwn(members, String(section)) ? members[String(section)]! : sections,
  );
}

/** None if the section is invalid. */
function fieldsIn(document: unknown, z: Zod | undefined): Declarations {
  const fields = isObject(document) ? (document.fields ?? {}) : {};
  if (z === undefined) return fields as Declarations;
  const parsed = declaredFieldsForm(z).safeParse(fields);
  return parsed.success ? parsed.data : {};
}

/** Contradictions are reported when the fields are declared. */
function resourcesOf(declared: Declarations, fields: Declarations): Resources {
  const all = resourceNames.map((name) => [name, { ...fields[name], ...declared[name] }]);
  return resourcesWith(Object.fromEntries(all));
}

/** The records of a section, without values that are not objects. */
function recordsOf(name: ResourceName, section: unknown): FixtureRecord[] {
  if (Array.isArray(section))
    return section.flatMap((value: unknown, at) =>
      isObject(value) ? [{ name, key: value.id === undefined ? `[${at}]` : `#${value.id}`, path: `${name}[${at}]`, input: value }] : [],
    );
  return Object.entries(isObject(section) ? section : {}).flatMap(([key, value]) =>
    isObject(value) ? [{ name, key, path: `${name}.${key}`, input: { slug: key, ...value } }] : [],
  );
}
