import type { CalendarEvent, Term } from '../record.ts';

/** Gives an event the class of its color. */
export type HueOf = (event: { categories: readonly Term[] }) => string;

/** How many colors there are. */
const hues = 10;

/** Colors by category: each at the top has one, in the order in which they were made, and those below have it too. */
export function huesOf(categories: readonly Term[]): HueOf {
  const byId = new Map(categories.map((category) => [category.id, category]));
  const rootOf = (term: Term): number => {
    let at = byId.get(term.id);
    for (let depth = 0; at?.parent && byId.has(at.parent) && depth < 50; depth++) at = byId.get(at.parent);
    return at?.id ?? term.id;
  };
  const roots = categories.filter(({ parent }) => !parent || !byId.has(parent)).sort((one, other) => one.id - other.id);
  const places = new Map(roots.map(({ id }, at) => [id, at % hues]));
  return ({ categories: own }) => {
    const place = own[0] && places.get(rootOf(own[0]));
    return place === undefined ? 'hue-none' : `hue-${place}`;
  };
}

/** Whether an event is not published: a draft, one that waits for review, or one for a later day. */
export const isHidden = ({ status }: CalendarEvent): boolean => status !== 'publish';
