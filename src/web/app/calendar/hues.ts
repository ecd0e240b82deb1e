import { useMemo, useState } from 'preact/hooks';
import { hueCount, hueIndexes } from '../../../model/hues.ts';
import { type ListedEvent, type Term, venuesOf } from '../record.ts';

/** The CSS class with the color of an event. */
export type HueOf = (event: { categories: readonly Pick<Term, 'id'>[]; venue?: ListedEvent['venue'] }) => string;

/** The CSS class of an event by the color of its first category. */
export function huesOf(categories: readonly Term[]): HueOf {
  const hueOf = hueIndexes(categories);
  return ({ categories: assigned }) => {
    const hue = hueOf(assigned);
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

/** The colors of events. The choice is stored in this browser. */
export function useColoring(categories: readonly Term[]): Coloring {
  const [by, setBy] = useState<ColorBy>(() => (localStorage.getItem(storageKey) === 'venue' ? 'venue' : 'category'));
  const byCategory = useMemo(() => huesOf(categories), [categories]);
  const onChange = (next: ColorBy) => {
    localStorage.setItem(storageKey, next);
    setBy(next);
  };
  return { by, hueOf: by === 'venue' ? hueOfVenue : byCategory, onChange };
}

/** True if an event is a draft, pending, private or scheduled. */
export const isNotPublic = ({ status }: ListedEvent): boolean => status !== 'publish';
