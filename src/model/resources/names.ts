import type { ResourceName } from './all.ts';
import { families } from './families.ts';

export const resourceNames = Object.keys(families) as ResourceName[];

/** True if records of a resource are terms, which have no dates, no authors and no trash. */
export const isTerms = (name: ResourceName): boolean => families[name] === 'term';
