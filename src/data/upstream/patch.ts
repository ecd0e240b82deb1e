import { createHash } from 'node:crypto';
import { isObject } from '../../model/fields/coerce.ts';

/** The changes that make a value of this program equal to that of a site. A replacement only applies while the value is the same as when it was compared. */
export type ValuePatch = { was: string; is?: unknown } | { in: Record<string, ValuePatch> };

type Members = Record<string, unknown>;

/** Returns the patch from one value to the other; undefined if they are equal. The order of members doesn't matter. */
export function patchOf(ours: unknown, theirs: unknown): ValuePatch | undefined {
  const branches = branchesOf(ours, theirs);
  if (branches) {
    const [mine, site] = branches;
    const names = new Set([...Object.keys(mine), ...Object.keys(site)]);
    const own = (value: Members, name: string) => (Object.hasOwn(value, name) ? value[name] : undefined);
    const patches = [...names].flatMap((name) => {
      const patch = patchOf(own(mine, name), own(site, name));
      return patch ? [[name, patch] as const] : [];
    });
    return patches.length ? { in: Object.fromEntries(patches) } : undefined;
  }
  const was = keyOf(ours);
  return was === keyOf(theirs) ? undefined : { was, ...(theirs === undefined ? {} : { is: theirs }) };
}

/** Applies a patch to a value that may have changed since. */
export function patched(value: unknown, patch: ValuePatch): unknown {
  if (!('in' in patch)) return keyOf(value) === patch.was ? patch.is : value;
  if (!isObject(value) && !Array.isArray(value)) return value;
  const members = new Map(Object.entries(value));
  for (const [name, inner] of Object.entries(patch.in)) {
    const now = patched(members.get(name), inner);
    if (now === undefined) members.delete(name);
    else members.set(name, now);
  }
  return Array.isArray(value) ? [...members.values()] : Object.fromEntries(members);
}

/** Returns two values that are compared member by member: objects, and lists of the same length. */
function branchesOf(a: unknown, b: unknown): [Members, Members] | undefined {
  const areLists = Array.isArray(a) && Array.isArray(b) && a.length === b.length && a.length > 0;
  return areLists || (isObject(a) && isObject(b)) ? [a as Members, b as Members] : undefined;
}

/** Returns a short text that identifies a value. */
function keyOf(value: unknown): string {
  const text = JSON.stringify(value) ?? '';
  return text.length <= 24 ? text : createHash('sha1').update(text).digest('base64url').slice(0, 16);
}
