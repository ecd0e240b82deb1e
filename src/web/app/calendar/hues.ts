import type { ListedEvent, Term } from '../record.ts';

/** Returns the CSS class with the color of an event. */
export type HueOf = (event: { categories: readonly Term[] }) => string;

const hueCount = 10;

/** Assigns a color to each top-level category in the order of creation. Subcategories have the color of their ancestor. */
export function huesOf(categories: readonly Term[]): HueOf {
  const byId = new Map(categories.map((category) => [category.id, category]));
  const rootOf = (term: Term): number => {
    let at = byId.get(term.id);
    for (let depth = 0; at?.parent && byId.has(at.parent) && depth < 50; depth++) at = byId.get(at.parent);
    return at?.id ?? term.id;
  };
  const roots = categories.filter(({ parent }) => !parent || !byId.has(parent)).sort((one, other) => one.id - other.id);
  const hues = new Map(roots.map(({ id }, index) => [id, index % hueCount]));
  return ({ categories: assigned }) => {
    const hue = assigned[0] && hues.get(rootOf(assigned[0]));
    return hue === undefined ? 'hue-none' : `hue-${hue}`;
  };
}

/** Returns whether an event is a draft, pending, private or scheduled. */
export const isUnpublished = ({ status }: ListedEvent): boolean => status !== 'publish';
