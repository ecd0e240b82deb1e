import { digits, type JsonSchema } from '../fields/field.ts';
import { type Resource, resources } from './all.ts';
import { valueSchemas } from './value-schemas.ts';

/** A path in a record that responses don't have: the names before the unknown one, and the known ones in its place. */
export interface UnknownPath {
  before: readonly string[];
  name: string;
  valid: readonly string[];
}

/** Returns where a path like `venue.city` leaves the definition of a resource's responses; undefined if it doesn't. A text has a member `text`. */
export function unknownPath(resource: Resource, path: string): UnknownPath | undefined {
  const names = path.split('.');
  let members: Members = membersOf(resource);
  let inList = false;
  let schema: JsonSchema = {};
  for (const [at, name] of names.entries()) {
    if (members === 'any') return undefined;
    // The position of an item in a list.
    if (inList && /^\d+$/.test(name)) {
      inList = false;
      continue;
    }
    const next = Object.hasOwn(members, name) ? members[name] : undefined;
    if (!next && name === 'text' && at === names.length - 1 && isText(schema)) return undefined;
    if (!next) return { before: names.slice(0, at), name, valid: Object.keys(members) };
    members = membersIn(next);
    inList = isList(next);
    schema = next;
  }
  return undefined;
}

type Members = Record<string, JsonSchema> | 'any';

const membersOf = ({ response }: Resource): Members => Object.fromEntries(response.members.map((member) => [member.name, member.response]));

const isList = ({ items, anyOf }: JsonSchema): boolean =>
  items !== undefined || (Array.isArray(anyOf) && anyOf.some((each) => isList(each as JsonSchema)));

const isText = ({ type, anyOf }: JsonSchema): boolean =>
  type === 'string' || (Array.isArray(anyOf) && anyOf !== digits.anyOf && anyOf.some((each) => isText(each as JsonSchema)));

/** The members of the values that a schema describes, of the items in a list, or `any` if it doesn't name them. */
function membersIn(schema: JsonSchema): Members {
  const { $ref, anyOf, items, properties, type } = schema as Record<string, unknown>;
  if (typeof $ref === 'string') return named($ref.slice($ref.lastIndexOf('/') + 1));
  if (Array.isArray(anyOf)) {
    const members = anyOf.map((each) => membersIn(each as JsonSchema));
    return members.includes('any') ? 'any' : Object.assign({}, ...members);
  }
  if (items) return membersIn(items as JsonSchema);
  if (properties) return properties as Members;
  return type === 'object' || Object.keys(schema).length === 0 ? 'any' : {};
}

function named(name: string): Members {
  const resource = Object.values(resources).find(({ kind }) => kind === name.toLowerCase());
  return resource ? membersOf(resource as Resource) : membersIn(valueSchemas[name] ?? {});
}
