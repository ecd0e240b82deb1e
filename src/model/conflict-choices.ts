import type { Conflict } from './operation-types.ts';

/** The fields that determine when an event is. Sites compute the times in UTC only if a request has all of them. */
export const dateFields = ['start_date', 'end_date', 'timezone', 'all_day'];

/** The name of a field in a choice of a side: all dates are one. */
export const choiceOf = (field: string): string => (dateFields.includes(field) ? 'dates' : field);

/** The names by which the fields of a conflict are resolved. */
export const choicesOf = ({ fields }: Pick<Conflict, 'fields'>): string[] => [...new Set(Object.keys(fields).map(choiceOf))];

/** The kinds of conflicts in words. */
export const conflictKinds: Record<Conflict['kind'], string> = {
  edited: 'changed on both sides',
  'deleted-here': 'deleted here, changed on the site',
  'deleted-there': 'deleted on the site, changed here',
  withdrawn: 'withdrawn by the site, changed here',
  'not-accepted': 'not accepted by the site',
};
