import { useMemo, useState } from 'preact/hooks';
import { type ListedEvent, type Term, venuesOf } from '../record.ts';

/** Returns the CSS class with the color of an event. */
export type HueOf = (event: { categories: readonly Pick<Term, 'id'>[]; venue?: ListedEvent['venue'] }) => string;

const hueCount = 10;

/** Assigns a color to each top-level category in the order of creation. Subcategories have the color of their ancestor. */
export function huesOf(categories: readonly Term[]): HueOf {
  const byId = new Map(categories.map((category) => [category.id, category]));
  const rootOf = (term: Pick<Term, 'id'>): number => {
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

const hueOfVenue: HueOf = ({ venue }) => {
  const [first] = venue ? venuesOf({ venue }) : [];
  return first ? `hue-${first.id % hueCount}` : 'hue-none';
};

export const colorings = ['category', 'venue'] as const;
export type ColorBy = (typeof colorings)[number];

/** The colors of events and the choice between them. */
export interface Coloring {
  by: ColorBy;
  hueOf: HueOf;
  onChange(by: ColorBy): void;
}

const storageKey = 'color by';

/** Returns the colors of events. The choice is stored in this browser. */
export function useColoring(categories: readonly Term[]): Coloring {
  const [by, setBy] = useState<ColorBy>(() => (localStorage.getItem(storageKey) === 'venue' ? 'venue' : 'category'));
  const byCategory = useMemo(() => huesOf(categories), [categories]);
  const onChange = (next: ColorBy) => {
    localStorage.setItem(storageKey, next);
    setBy(next);
  };
  return { by, hueOf: by === 'venue' ? hueOfVenue : byCategory, onChange };
}

/** Returns whether an event is a draft, pending, private or scheduled. */
export const isUnpublished = ({ status }: ListedEvent): boolean => status !== 'publish';
