import type { LinkKind } from '../../model/asking.ts';
import { statuses } from '../../model/field.ts';
import type { Condition } from '../../model/filter.ts';
import type { DateTime } from '../../model/time.ts';
import { fold } from '../where.ts';

/** What an event can be sought by, besides its dates and texts. */
export const keyKinds = ['status', 'featured', 'ticketed', 'open', 'venue', 'organizer', 'category', 'tag'] as const;
export type KeyKind = (typeof keyKinds)[number];

/** One thing that events have in common, as a number. */
export const keyOf = (kind: KeyKind, value: number): number => value * 16 + keyKinds.indexOf(kind);
/** The key of a status; one that is not known has the key of none. */
export const statusKey = (status: unknown): number => keyOf('status', statuses.indexOf(status as (typeof statuses)[number]) + 1);

/** A date as a number of the same order: its digits. Undefined for texts of another form. */
export function stampOf(date: DateTime): number | undefined {
  if (date.length !== 19) return undefined;
  let stamp = 0;
  for (let i = 0; i < 19; i += 1) {
    const code = date.charCodeAt(i);
    if (i === 4 || i === 7 || i === 10 || i === 13 || i === 16) {
      if (code !== (i === 10 ? 32 : i < 10 ? 45 : 58)) return undefined;
    } else if (code < 48 || code > 57) return undefined;
    else stamp = stamp * 10 + code - 48;
  }
  return stamp;
}

/** Bounds of a stamp, both included. */
export interface Range {
  least: number;
  most: number;
}

/** A list's conditions as the index answers them. */
export interface Plan {
  start_date: Range;
  end_date: Range;
  /** Of these keys an event has at least one, or none. */
  keys: { any: readonly number[]; is: boolean }[];
  /** Folded texts that occur, or do not. */
  needles: { text: string; is: boolean }[];
  /** What only SQL can tell, of the events that are left. */
  rest: Condition[];
}

const bounds: Record<string, (range: Range, stamp: number) => void> = {
  from: (range, stamp) => {
    range.least = Math.max(range.least, stamp);
  },
  after: (range, stamp) => {
    range.least = Math.max(range.least, stamp + 1);
  },
  until: (range, stamp) => {
    range.most = Math.min(range.most, stamp);
  },
  before: (range, stamp) => {
    range.most = Math.min(range.most, stamp - 1);
  },
};

/** Sorts conditions by how they are answered. `below` gives the categories under some, themselves included. */
export function planOf(where: readonly Condition[], below: (ids: number[]) => number[]): Plan {
  const whole = () => ({ least: Number.NEGATIVE_INFINITY, most: Number.POSITIVE_INFINITY });
  const plan: Plan = { start_date: whole(), end_date: whole(), keys: [], needles: [], rest: [] };
  for (const condition of where) if (!placed(condition, plan, below)) plan.rest.push(condition);
  return plan;
}

function placed(condition: Condition, plan: Plan, below: (ids: number[]) => number[]): boolean {
  switch (condition.test) {
    case 'from':
    case 'after':
    case 'until':
    case 'before': {
      const stamp = stampOf(String(condition.value));
      if ((condition.column !== 'start_date' && condition.column !== 'end_date') || stamp === undefined) return false;
      bounds[condition.test]!(plan[condition.column], stamp);
      return true;
    }
    case 'equal': {
      const { column, value } = condition;
      if (column === 'hide_from_listings') return value === 0;
      const key =
        column === 'status'
          ? statusKey(value)
          : column === 'featured' || column === 'ticketed'
            ? keyOf(column, Number(value))
            : column === 'post_password' && value === ''
              ? keyOf('open', 1)
              : undefined;
      if (key === undefined) return false;
      plan.keys.push({ any: [key], is: true });
      return true;
    }
    case 'among':
    case 'outside':
      if (condition.column !== 'status') return false;
      plan.keys.push({ any: condition.values.map(statusKey), is: condition.test === 'among' });
      return true;
    case 'linked':
      plan.keys.push({ any: linkKeys(condition.to, condition.to === 'category' ? below(condition.ids) : condition.ids), is: true });
      return true;
    case 'containing':
      if (condition.together && condition.words.length > 1) return false;
      for (const text of condition.words) plan.needles.push({ text: fold(text), is: true });
      for (const text of condition.without) plan.needles.push({ text: fold(text), is: false });
      return true;
    default:
      return false;
  }
}

const linkKeys = (kind: LinkKind, ids: readonly number[]) => ids.map((id) => keyOf(kind, id));
