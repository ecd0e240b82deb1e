import { keysByParent } from './fixture-order.ts';
import type { Problem } from './problem.ts';
import { type Input, type Resource, type ResourceName, resourceNames } from './resource.ts';
import { resources } from './resources.ts';

/** A user in a fixture. */
export interface FixtureUser {
  id?: number;
  name: string;
  role: string;
  password: string;
}

/** One record of a fixture: where it stands in the document, and the input that makes it, its references still in it. */
export interface FixtureRecord {
  name: ResourceName;
  /** What references call it: its key, or its ID where the section is a list. */
  key: string;
  path: string;
  input: Input;
}

/** A document that was read: what is to be made, in an order in which references point backwards. */
export interface Fixture {
  settings: Record<string, string>;
  users: FixtureUser[];
  /** Addresses by key. */
  images: Record<string, string>;
  records: FixtureRecord[];
}

/** The sections of a document. */
export const sections = ['settings', 'users', 'images', 'venues', 'organizers', 'categories', 'tags', 'events'] as const;
/** Records are made in this order, so that those that events are linked to are there. */
const order: ResourceName[] = ['venues', 'organizers', 'categories', 'tags', 'events'];

/** The fields of a record that name other records, and the section that these stand in. */
export const references: Record<ResourceName, Record<string, ResourceName | 'images'>> = {
  events: { venue: 'venues', organizer: 'organizers', categories: 'categories', tags: 'tags', post_parent: 'events', image: 'images' },
  venues: { image: 'images' },
  organizers: { image: 'images' },
  categories: { parent: 'categories' },
  tags: {},
};

/** What a record may say besides its fields: what an export keeps of it. */
export const keptNames = ['id', 'slug', 'modified', 'modified_utc', 'generated', 'lineage'];
const namesOf = (name: ResourceName): string[] => [...(resources[name] as Resource).fields.map((field) => field.name), ...keptNames];

/** Finds the word that was meant: `Did you mean title?`; undefined when nothing comes near. */
export type Suggest = (word: string, known: string[]) => string | undefined;

const isMap = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Reads a document that was parsed from JSON. What is wrong with its form is added to `problems`, all of it; values are left to the store. */
export function readFixture(document: unknown, problems: Problem[], suggest: Suggest): Fixture {
  const fixture: Fixture = { settings: {}, users: [], images: {}, records: [] };
  if (!isMap(document)) {
    problems.push({ at: '$', reason: 'must be an object with sections like "events" and "venues"' });
    return fixture;
  }
  for (const name of Object.keys(document))
    if (!sections.some((known) => known === name) && name !== '$schema') problems.push(unknown(name, name, [...sections], suggest));
  fixture.settings = textsOf(document.settings, 'settings', problems);
  fixture.images = textsOf(document.images, 'images', problems);
  fixture.users = usersOf(document.users, problems);
  const found = Object.fromEntries(order.map((name) => [name, recordsOf(name, document[name], problems, suggest)])) as Record<
    ResourceName,
    FixtureRecord[]
  >;
  const known = { images: new Set(Object.keys(fixture.images)) } as Known;
  for (const name of order) known[name] = new Set(found[name].map(({ key }) => key));
  for (const name of order) for (const record of found[name]) checkReferences(record, known, problems, suggest);
  // Not spread into one call: there may be more records than a call takes arguments.
  fixture.records = order.flatMap((name) => inOrder(name, found[name], problems));
  return fixture;
}

const unknown = (at: string, word: string, known: string[], suggest: Suggest): Problem => {
  const meant = suggest(word, known);
  return { at, reason: `is not known${meant ? `. ${meant}` : `; known are ${known.join(', ')}`}` };
};

function textsOf(value: unknown, at: string, problems: Problem[]): Record<string, string> {
  if (value === undefined) return {};
  if (!isMap(value)) {
    problems.push({ at, reason: 'must be an object' });
    return {};
  }
  const texts: Record<string, string> = {};
  for (const [name, text] of Object.entries(value)) {
    if (typeof text === 'string' || typeof text === 'number') texts[name] = String(text);
    else problems.push({ at: `${at}.${name}`, reason: 'must be text' });
  }
  return texts;
}

function usersOf(value: unknown, problems: Problem[]): FixtureUser[] {
  if (value === undefined) return [];
  const list = Array.isArray(value)
    ? value
    : isMap(value)
      ? Object.entries(value).map(([name, user]) => ({ name, ...(isMap(user) ? user : {}) }))
      : [];
  if (!Array.isArray(value) && !isMap(value))
    problems.push({ at: 'users', reason: 'must be a list of users, each with name, role and password' });
  return list.flatMap((user: unknown, at): FixtureUser[] => {
    const missing = ['name', 'role', 'password'].filter((name) => !isMap(user) || typeof user[name] !== 'string' || user[name] === '');
    if (missing.length) problems.push({ at: `users[${at}]`, reason: `needs ${missing.join(', ')}` });
    return missing.length ? [] : [user as FixtureUser];
  });
}

function recordsOf(name: ResourceName, section: unknown, problems: Problem[], suggest: Suggest): FixtureRecord[] {
  if (section === undefined) return [];
  const entries = Array.isArray(section)
    ? section.map((value, at): [string, string, unknown] => [
        isMap(value) && value.id !== undefined ? `#${value.id}` : `[${at}]`,
        `${name}[${at}]`,
        value,
      ])
    : isMap(section)
      ? Object.entries(section).map(([key, value]): [string, string, unknown] => [key, `${name}.${key}`, value])
      : undefined;
  if (!entries) problems.push({ at: name, reason: 'must be an object of records by key, or a list of records' });
  return (entries ?? []).flatMap(([key, path, value]): FixtureRecord[] => {
    if (!isMap(value)) {
      problems.push({ at: path, reason: 'must be an object' });
      return [];
    }
    problems.push(...unknownFields(name, value, `${path}.`, suggest));
    const slug = Array.isArray(section) || value.slug !== undefined ? {} : { slug: key };
    return [{ name, key, path, input: { ...slug, ...value } }];
  });
}

/** The members of a record that stand for no field. */
export const unknownFields = (name: ResourceName, input: Input, at: string, suggest: Suggest): Problem[] =>
  Object.keys(input)
    .filter((field) => !namesOf(name).includes(field))
    .map((field) => unknown(`${at}${field}`, field, namesOf(name), suggest));

/** A reference's key: what stands behind the `@`. Undefined for anything else. */
export const keyOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value.startsWith('@') ? value.slice(1) : undefined;

/** The keys that references can name, by section. */
type Known = Record<ResourceName | 'images', Set<string>>;

function checkReferences(record: FixtureRecord, known: Known, problems: Problem[], suggest: Suggest): void {
  for (const [field, section] of Object.entries(references[record.name])) {
    const values = Array.isArray(record.input[field]) ? (record.input[field] as unknown[]) : [record.input[field]];
    values.forEach((value, at) => {
      const key = keyOf(value);
      if (key === undefined || known[section].has(key)) return;
      const path = `${record.path}.${field}${Array.isArray(record.input[field]) ? `[${at}]` : ''}`;
      problems.push({ at: path, reason: `@${key} is not among the ${section}${behind(suggest(key, [...known[section]]))}` });
    });
  }
}

const behind = (hint: string | undefined) => (hint ? `. ${hint}` : '');

/** Records with those that they belong under before them. Those that belong under themselves, around a corner, are a problem. */
function inOrder(name: ResourceName, records: FixtureRecord[], problems: Problem[]): FixtureRecord[] {
  const field = name === 'categories' ? 'parent' : name === 'events' ? 'post_parent' : undefined;
  if (!field) return records;
  const byKey = new Map(records.map((record) => [record.key, record]));
  const above = (record: FixtureRecord): string | undefined => {
    const value = record.input[field];
    const key = keyOf(value) ?? (typeof value === 'number' ? `#${value}` : undefined);
    return key !== undefined && byKey.has(key) ? key : undefined;
  };
  const { keys, cycles } = keysByParent(new Map(records.map((record) => [record.key, above(record)])));
  for (const cycle of cycles) {
    const { path } = byKey.get(cycle[0]!)!;
    problems.push({
      at: `${path}.${field}`,
      reason: `goes round in a circle: ${[...cycle, cycle[0]].map((key) => `@${key}`).join(' -> ')}`,
    });
  }
  return keys.map((key) => byKey.get(key)!);
}

/** The resources of a document, in the order in which records are made. */
export const resourceOrder: readonly ResourceName[] = order.filter((name) => resourceNames.includes(name));
