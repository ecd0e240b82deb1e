import type { ZodType } from 'zod';
import type { Resource, ResourceName } from '../calendar.ts';
import type { Problem } from '../error.ts';
import { isObject } from '../fields/coerce.ts';
import type { Zod } from '../fields/field.ts';
import { resources } from '../resources/all.ts';
import { resourceOrder } from '../resources/relations.ts';
import { type NewUser, roles } from '../viewer.ts';
import { formProblems } from './issues.ts';
import { type FixtureRecord, inParentOrder, type KnownKeys, referenceProblems } from './references.ts';

/** A fixture that was read, its records in an order in which references point backwards. */
export interface Fixture {
  settings: Record<string, string>;
  users: NewUser[];
  /** Addresses by key. */
  images: Record<string, string>;
  records: FixtureRecord[];
  /** Those of the records whose form is wrong, by their places in the document, with what is wrong first. */
  faulty: Map<string, Problem>;
}

const sections = ['settings', 'users', 'images', ...resourceOrder];

/** Members of a record that an export keeps besides its fields. */
export const keptMembers = (z: Zod) =>
  z
    .strictObject({
      id: z.int().describe('the ID to keep, where it is free'),
      slug: z.string().describe('the last part of its address; the key unless it is given'),
      uid: z.string().min(1).describe('what tells it from the records of any calendar'),
      modified: z.string(),
      modified_utc: z.string(),
      generated: z.int(),
      lineage: z.string().describe('what identified it where it was copied from'),
      sequence: z.int().min(0).describe('its revision in the calendar file that it was imported from'),
    })
    .partial();

/** The form of one record of a resource: texts as typed, dates in any form that is read, references as `@key`. */
export function recordForm(name: ResourceName, z: Zod) {
  const { fields, about }: Resource = resources[name];
  const shape = Object.fromEntries(
    fields.map((field) => {
      const schema = field.schema(z).describe(field.about);
      return [field.name, field.required ? schema : schema.optional()];
    }),
  );
  return keptMembers(z).extend(shape).meta({ id: name, description: about });
}

/** The form of a record whose fields are left for the store to check. */
export const membersForm = (name: ResourceName, z: Zod) =>
  keptMembers(z).extend(Object.fromEntries(resources[name].fields.map((field) => [field.name, z.unknown().optional()])));

/** The form of one user. */
export const userForm = (z: Zod) =>
  z.object({ id: z.int().positive().optional(), name: z.string().min(1), role: z.enum(roles), password: z.string().min(1) });

/** The form of a fixture. `formOf` returns the form of a record. */
export function fixtureForm(z: Zod, formOf: (name: ResourceName, z: Zod) => ZodType = recordForm) {
  const section = (name: ResourceName) => {
    const record = formOf(name, z);
    return z.union([z.record(z.string(), record), z.array(record)]).optional();
  };
  const user = userForm(z);
  return z
    .strictObject({
      $schema: z.string().optional(),
      settings: z.record(z.string(), z.union([z.string(), z.number()])).optional(),
      users: z.union([z.array(user), z.record(z.string(), user.omit({ name: true }))]).optional(),
      images: z.record(z.string(), z.url()).optional(),
      ...Object.fromEntries(resourceOrder.map((name) => [name, section(name)])),
    })
    .meta({ title: 'A fixture: records by key, with references like "@key"' });
}

/** The JSON Schema of a fixture, from the definitions of the resources. */
export const fixtureSchema = (z: Zod) => z.toJSONSchema(fixtureForm(z), { target: 'draft-2020-12', io: 'input' });

/** The members that a record of a resource may have. */
export const memberNames = (name: ResourceName, z: Zod): string[] => Object.keys(recordForm(name, z).shape);

/** Past so many problems nothing more is suggested. */
const mostHinted = 100;

/**
 * Reads a fixture that was parsed from JSON. Adds every problem of its form and its references to `problems`, and leaves out what has one; values of fields are
 * for the store to check, which knows the API's own messages.
 */
export function readFixture(document: unknown, problems: Problem[], z: Zod): Fixture {
  const members = Object.fromEntries(resourceOrder.map((name) => [name, memberNames(name, z)]));
  const found = formProblems(fixtureForm(z, membersForm), document, ([section]) =>
    Object.hasOwn(members, String(section)) ? members[String(section)]! : sections,
  );
  problems.push(
    ...found.map(({ at, reason }) => ({ at, reason: at === '$' ? `${reason} with sections like "events" and "venues"` : reason })),
  );
  if (found.some(({ at }) => at === '$')) return { settings: {}, users: [], images: {}, records: [], faulty: new Map() };
  const faults = new Map<string, Problem>();
  for (const { path, at, reason } of [...found].reverse()) faults.set(`${String(path[0])}:${String(path[1])}`, { at, reason });
  const isSound = (section: string, key: string | number) => !faults.has(`${section}:undefined`) && !faults.has(`${section}:${key}`);
  const { settings, images, users, ...rest } = document as Record<string, Record<string, unknown>>;
  const texts = (section: string, members: Record<string, unknown> = {}) =>
    Object.fromEntries(Object.entries(members).flatMap(([name, value]) => (isSound(section, name) ? [[name, String(value)]] : [])));
  const all = resourceOrder.flatMap((name) => recordsOf(name, rest[name]));
  const faultOf = ({ name, path }: FixtureRecord) =>
    faults.get(`${name}:${path[name.length] === '[' ? path.slice(name.length + 1, -1) : path.slice(name.length + 1)}`);
  const imageAddresses = texts('images', images);
  const named = (name: ResourceName) => all.filter((record) => record.name === name);
  const known: KnownKeys = new Map([['images', new Set(Object.keys(imageAddresses))]]);
  for (const name of resourceOrder) known.set(name, new Set(named(name).map(({ key }) => key)));
  for (const record of all) problems.push(...referenceProblems(record, known, problems.length < mostHinted));
  return {
    settings: texts('settings', settings),
    images: imageAddresses,
    users: usersOf(users).filter(({ name }, at) => isSound('users', Array.isArray(users) ? at : name)),
    records: resourceOrder.flatMap((name) => inParentOrder(name, named(name), problems)),
    faulty: new Map(
      all.flatMap((record) => {
        const fault = faultOf(record);
        return fault ? [[record.path, fault]] : [];
      }),
    ),
  };
}

/** The records of a section, without those that are no objects. */
function recordsOf(name: ResourceName, section: unknown): FixtureRecord[] {
  if (Array.isArray(section))
    return section.flatMap((value: unknown, at) =>
      isObject(value) ? [{ name, key: value.id === undefined ? `[${at}]` : `#${value.id}`, path: `${name}[${at}]`, input: value }] : [],
    );
  return Object.entries(isObject(section) ? section : {}).flatMap(([key, value]) =>
    isObject(value) ? [{ name, key, path: `${name}.${key}`, input: { slug: key, ...value } }] : [],
  );
}

const usersOf = (users: unknown): NewUser[] =>
  Array.isArray(users) ? users : Object.entries(users ?? {}).map(([name, user]) => ({ name, ...user }));
