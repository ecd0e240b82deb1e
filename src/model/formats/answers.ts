import { type Entry, type Resource, type ResourceName, resourceNames } from '../calendar.ts';
import { isObject } from '../fields/coerce.ts';
import { resources } from '../resources/all.ts';

/** A record as an API of this kind answers it. */
export interface AnsweredRecord {
  name: ResourceName;
  entry: Entry;
  /** Its place in the document. */
  path: string;
}

/** The records of an answer: a page of a list, a list of records, or one record. Undefined for any other document. */
export function answersIn(document: unknown): AnsweredRecord[] | undefined {
  if (Array.isArray(document)) return answersOf(document, '');
  if (!isObject(document)) return undefined;
  // An event has members that are called like the sections of a page.
  if (resourceOf(document)) return answersOf([document], undefined);
  const listed = resourceNames.find((name) => Array.isArray(document[name]));
  return listed && ('rest_url' in document || 'total' in document) ? answersOf(document[listed] as unknown[], listed) : undefined;
}

/** All of some values as records; undefined when one is none. */
function answersOf(values: readonly unknown[], section: string | undefined): AnsweredRecord[] | undefined {
  const records = values.map((value, at) => {
    const name = resourceOf(value);
    return name && { name, entry: value as Entry, path: section === undefined ? '$' : `${section}[${at}]` };
  });
  return records.every((record) => record !== undefined) ? records : undefined;
}

const taxonomyOf = (resource: Resource) => (resource.family === 'term' ? resource.taxonomy : undefined);
/** The resource of terms whose taxonomy has another name on their server. */
const defaultTerms = resourceNames.find((name) => resources[name].family === 'term');
/** The fields that every record of a post resource has; those with the most come first, because an event has the names of what it links to. */
const posts = resourceNames
  .filter((name) => resources[name].family === 'post')
  .map((name) => ({ name, required: resources[name].fields.filter((field) => field.required).map((field) => field.name) }))
  .toSorted((a, b) => b.required.length - a.required.length);

/** The resource of a record, told by members that only answers have. */
export function resourceOf(value: unknown): ResourceName | undefined {
  if (!isObject(value) || typeof value.id !== 'number') return undefined;
  const { taxonomy } = value;
  if (taxonomy !== undefined) return resourceNames.find((name) => taxonomyOf(resources[name]) === taxonomy) ?? defaultTerms;
  if (!('global_id' in value)) return undefined;
  return posts.find(({ required }) => required.every((field) => field in value))?.name;
}

/** The address that the routes of a record's server start at; undefined where the record does not say it. */
export function rootOf({ name, entry }: AnsweredRecord): string | undefined {
  const address = entry.rest_url ?? (entry.urls as { self?: unknown } | undefined)?.self;
  return new RegExp(`^(.+)/${name}/\\d+/?$`).exec(String(address ?? ''))?.[1];
}

/** The host that a record's global ID names; empty where it names none. */
export const hostOf = (entry: Entry): string => /^(.+)\?id=\d+$/.exec(String(entry.global_id ?? ''))?.[1] ?? '';
