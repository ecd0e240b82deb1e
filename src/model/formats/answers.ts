import { type Entry, type Resource, type ResourceName, resourceNames } from '../calendar.ts';
import { isObject } from '../fields/coerce.ts';
import { resources } from '../resources/all.ts';

/** A record in an API response. */
export interface AnsweredRecord {
  name: ResourceName;
  entry: Entry;
  /** Position in the document. */
  path: string;
}

/** Returns the records of an API response: a page of a list, a list of records, or one record. Returns undefined for other documents. */
export function answersIn(document: unknown): AnsweredRecord[] | undefined {
  if (Array.isArray(document)) return answersOf(document, '');
  if (!isObject(document)) return undefined;
  // Some members of an event have the names of lists.
  if (resourceOf(document)) return answersOf([document], undefined);
  const listed = resourceNames.find((name) => Array.isArray(document[name]));
  return listed && ('rest_url' in document || 'total' in document) ? answersOf(document[listed] as unknown[], listed) : undefined;
}

/** Returns values as records; undefined if any value is not a record. */
function answersOf(values: readonly unknown[], section: string | undefined): AnsweredRecord[] | undefined {
  const records = values.map((value, at) => {
    const name = resourceOf(value);
    return name && { name, entry: value as Entry, path: section === undefined ? '$' : `${section}[${at}]` };
  });
  return records.every((record) => record !== undefined) ? records : undefined;
}

const taxonomyOf = (resource: Resource) => (resource.family === 'term' ? resource.taxonomy : undefined);
/** Resource of terms whose taxonomy has a different name on their server. */
const defaultTerms = resourceNames.find((name) => resources[name].family === 'term');
/** Required fields by post resource, longest list first, because an event also contains the names of linked records. */
const posts = resourceNames
  .filter((name) => resources[name].family === 'post')
  .map((name) => ({ name, required: resources[name].fields.filter((field) => field.required).map((field) => field.name) }))
  .toSorted((a, b) => b.required.length - a.required.length);

/** Returns the resource of a record, based on members that only responses have. */
export function resourceOf(value: unknown): ResourceName | undefined {
  if (!isObject(value) || typeof value.id !== 'number') return undefined;
  const { taxonomy } = value;
  if (taxonomy !== undefined) return resourceNames.find((name) => taxonomyOf(resources[name]) === taxonomy) ?? defaultTerms;
  if (!('global_id' in value)) return undefined;
  return posts.find(({ required }) => required.every((field) => field in value))?.name;
}

/** Returns the base URL of the server of a record; undefined if the record has no URL. */
export function rootOf({ name, entry }: AnsweredRecord): string | undefined {
  const address = entry.rest_url ?? (entry.urls as { self?: unknown } | undefined)?.self;
  return new RegExp(`^(.+)/${name}/\\d+/?$`).exec(String(address ?? ''))?.[1];
}

/** Returns the host in a record's global ID; empty if it has none. */
export const hostOf = (entry: Entry): string => /^(.+)\?id=\d+$/.exec(String(entry.global_id ?? ''))?.[1] ?? '';
