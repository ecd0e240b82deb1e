import { listOf } from '../model/fields/coerce.ts';
import type { Query } from '../model/fields/list.ts';

type Tree = { [name: string]: Tree | true };

function treeOf(paths: readonly string[]): Tree {
  // Without a prototype, because names are chosen by clients.
  const branch = (): Tree => Object.create(null);
  const tree = branch();
  for (const path of paths) {
    let at = tree;
    const names = path.split('.');
    names.forEach((name, depth) => {
      if (at[name] === true) return;
      if (depth === names.length - 1) at[name] = true;
      else {
        at[name] ??= branch();
        at = at[name] as Tree;
      }
    });
  }
  return tree;
}

function pick(value: unknown, tree: Tree | true): unknown {
  if (tree === true || value === null || typeof value !== 'object') return value;
  // The reference returns an empty list for a path into a list.
  if (Array.isArray(value)) return [];
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => Object.hasOwn(tree, name))
      .map(([name, inner]) => [name, pick(inner, tree[name]!)]),
  );
}

/** Returns the paths of the fields that a request selects, like `_fields=id,venue.city`; undefined for all. */
export function selectedFields({ _fields }: Query): string[] | undefined {
  const paths = listOf(_fields).map(String);
  return paths.length ? paths : undefined;
}

/** Returns only the selected fields of a response. */
export function pickFields(value: unknown, query: Query): unknown {
  const paths = selectedFields(query);
  return paths ? pick(value, treeOf(paths)) : value;
}
