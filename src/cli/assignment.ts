import { Failure } from '../model/error.ts';

/** A name and a value as people write them: `title=Concert`, `venue.city=Paris`, `tags[]=music`, `all_day:=true`. */
export interface Assignment {
  /** Names joined by dots; `[]` at the end adds to a list. */
  path: string;
  sign: string;
  value: string;
}

/** Parses an assignment with one of some signs; undefined for any other text. */
export function parseAssignment(text: string, signs: readonly string[] = [':=', '=']): Assignment | undefined {
  const [, path, sign, value] = /^([\w-]+(?:\.[\w-]+)*(?:\[\])?)(==|:=|=|:)(.*)$/s.exec(text) ?? [];
  return path !== undefined && signs.includes(sign!) ? { path, sign: sign!, value: value! } : undefined;
}

/** An object without a prototype: its names are what people write. */
export const bare = (): Record<string, unknown> => Object.create(null);

/** Assigns a value: a text, or with `:=` JSON. Names lead into objects by dots; one that repeats becomes a list. Fails with `bad-request`. */
export function assign(fields: Record<string, unknown>, { path, sign, value: text }: Assignment): void {
  const value = sign === ':=' ? jsonIn(path, text) : text;
  const names = path.replace(/\[\]$/, '').split('.');
  const last = names.pop()!;
  let at = fields;
  for (const name of names) {
    const inner = Object.hasOwn(at, name) ? at[name] : bare();
    if (typeof inner !== 'object' || inner === null || Array.isArray(inner))
      throw new Failure('bad-request', `${path}: ${name} already has a value`, 'Use only one of them.');
    at[name] = inner;
    at = inner as Record<string, unknown>;
  }
  if (path.endsWith('[]') || Object.hasOwn(at, last)) at[last] = [...(Object.hasOwn(at, last) ? [at[last]].flat() : []), value];
  else at[last] = value;
}

function jsonIn(name: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Failure('bad-request', `${name}:= requires JSON: ${JSON.stringify(text)}`, `For text, use ${name}=${text}.`);
  }
}
