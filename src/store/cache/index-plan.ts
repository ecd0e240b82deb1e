import type { LinkKind } from '../../model/context.ts';
import type { Condition } from '../../model/fields/condition.ts';
import { statuses } from '../../model/fields/status.ts';
import type { DateTime } from '../../model/time/datetime.ts';
import { fold } from '../records/where.ts';

/** The kinds of key that an event can be sought by, besides its dates and texts. */
export const keyKinds = ['status', 'featured', 'ticketed', 'open', 'venue', 'organizer', 'category', 'tag'] as const;
export type KeyKind = (typeof keyKinds)[number];

/** One thing that events have in common, as a number. */
export const keyOf = (kind: KeyKind, value: number): number => value * 16 + keyKinds.indexOf(kind);
/** The key of a status; one that is not known has the key of none. */
export const statusKey = (status: unknown): number => keyOf('status', statuses.indexOf(status as (typeof statuses)[number]) + 1);

const form = '0000-00-00 00:00:00';

/**
 * A date as a number of the same order as its text: the digits of one of the form `2027-03-01 09:00:00`; half a number beside the nearest
 * of those for any other text, such as a year past 9999.
 */
export function stampOf(date: DateTime): number {
  let stamp = 0;
  for (let i = 0; i < form.length; i += 1) {
    const code = date.charCodeAt(i);
    const expected = form.charCodeAt(i);
    const isDigit = expected === 48;
    if (isDigit && code >= 48 && code <= 57) stamp = stamp * 10 + code - 48;
    else if (isDigit || code !== expected) {
      const scale = 10 ** form.slice(i).replace(/\D/g, '').length;
      // Past the end of a shorter text, the code is NaN, and comes before everything.
      return code > expected ? (stamp + 1) * scale - 0.5 : stamp * scale - 0.5;
    }
  }
  return date.length === form.length ? stamp : stamp + 0.5;
}

/** Bounds of a stamp, both included. */
export interface Interval {
  least: number;
  most: number;
}

/** A list's conditions as the index answers them. */
export interface Plan {
  start_date: Interval;
  end_date: Interval;
  /** Of these keys an event has at least one, or none. */
  keys: { any: readonly number[]; is: boolean }[];
  /** Folded texts that occur, or do not. */
  terms: { text: string; is: boolean }[];
  /** Conditions that only SQL can judge, for the events that are left. */
  residual: Condition[];
}

/** Less than from any stamp to the next. */
const quarter = 0.25;

const bounds: Record<string, (range: Interval, stamp: number) => void> = {
  from: (range, stamp) => {
    range.least = Math.max(range.least, stamp);
  },
  after: (range, stamp) => {
    range.least = Math.max(range.least, stamp + quarter);
  },
  until: (range, stamp) => {
    range.most = Math.min(range.most, stamp);
  },
  before: (range, stamp) => {
    range.most = Math.min(range.most, stamp - quarter);
  },
};

/** Sorts conditions by how they are answered. `below` gives the categories under some, themselves included. */
export function planOf(where: readonly Condition[], below: (ids: number[]) => number[]): Plan {
  const whole = () => ({ least: Number.NEGATIVE_INFINITY, most: Number.POSITIVE_INFINITY });
  const plan: Plan = { start_date: whole(), end_date: whole(), keys: [], terms: [], residual: [] };
  for (const condition of where) if (!placed(condition, plan, below)) plan.residual.push(condition);
  return plan;
}

function placed(condition: Condition, plan: Plan, below: (ids: number[]) => number[]): boolean {
  switch (condition.test) {
    case 'from':
    case 'after':
    case 'until':
    case 'before': {
      const stamp = stampOf(String(condition.value));
      if ((condition.column !== 'start_date' && condition.column !== 'end_date') || !Number.isInteger(stamp)) return false;
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
      if (condition.sight || (condition.together && condition.words.length > 1)) return false;
      for (const text of condition.words) plan.terms.push({ text: fold(text), is: true });
      for (const text of condition.without) plan.terms.push({ text: fold(text), is: false });
      return true;
    default:
      return false;
  }
}

const linkKeys = (kind: LinkKind, ids: readonly number[]) => ids.map((id) => keyOf(kind, id));
