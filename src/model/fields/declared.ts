import type { RequestContext } from '../context.ts';
import type { SqlValue } from '../record.ts';
import { endOfDay, startOfDay } from '../time/datetime.ts';
import { readDate } from '../time/parse-date.ts';
import { dateText, isTruthy, listOf, quoted, toWholeNumber as wholeNumberOf } from './coerce.ts';
import { date, dateFault } from './date.ts';
import { type FieldKind, kindOf, orNull, responseText } from './field.ts';
import { flag as flagFilter } from './filter.ts';
import type { FilterKind } from './list.ts';
import { decimal, flag, wholeNumber } from './number.ts';
import { line, url } from './text.ts';

/** A kind of field that users can declare, with its list parameters. */
interface DeclarableKind {
  field(about: string): FieldKind;
  filters(name: string, field: FieldKind): Record<string, FilterKind>;
}

const isUnset = (value: unknown) => value === '' || value === null;

/** A date that may be unset, stored in the time zone of the calendar. */
const optionalDate = (about: string): FieldKind =>
  date(about, {
    wire: { type: 'string', default: null },
    accepts: orNull({ type: 'string' }),
    check: (value, ctx) => (isUnset(value) ? undefined : dateFault(value, ctx)),
    schema: (z) => z.union([z.string(), z.int()]).nullable(),
    nothing: { clears: true, isRefused: false, input: null },
    stored: {
      column: { type: 'TEXT' },
      value: (value, ctx) => (isUnset(value) ? null : readDate(dateText(value), ctx.now, ctx.zone)!.wall),
    },
    shown: {
      always: undefined,
      redacted: null,
      schema: orNull({ type: 'string', description: about }),
      isAbsent: (value) => value === null,
    },
    compared: { input: (value) => value ?? null, value: (value) => value ?? null },
  });

/** One of several comma-separated values. */
const anyOf = (name: string, { about, check, placeholder, topic, stored }: FieldKind): FilterKind => {
  return {
    about: `Only records with one of these values: ${about}`,
    placeholder,
    topic,
    many: true,
    wire: {},
    accepts: { type: 'string', minLength: 1 },
    check(value, ctx) {
      const items = listOf(value);
      return items.length ? items.map((item) => check(item, ctx)).find((fault) => fault !== undefined) : 'must not be empty';
    },
    condition: (value, { ctx }) => ({
      test: 'among',
      column: name,
      values: listOf(value).map((item) => stored!.value!(item, ctx)),
      folded: stored!.column?.type === 'TEXT',
    }),
  };
};

/** A lower or upper bound. */
const rangeFilter = (
  name: string,
  edge: 'least' | 'most',
  { about, check, placeholder, topic, stored }: FieldKind,
  columnFrom: (value: unknown, ctx: RequestContext) => SqlValue = stored!.value!,
): FilterKind => ({
  about: `Only records with at ${edge} this value: ${about}`,
  placeholder,
  topic,
  wire: {},
  accepts: { type: 'string', minLength: 1 },
  check: (value, ctx) => (isUnset(value) ? 'must not be empty' : check(value, ctx)),
  condition: (value, { ctx }) => ({ test: edge === 'least' ? 'atLeast' : 'atMost', column: name, value: columnFrom(value, ctx) }),
  linkParameters: (value, call) => [[call.name, String(value)]],
});

const equal = (name: string, field: FieldKind) => ({ [name]: anyOf(name, field) });
const ranged = (name: string, field: FieldKind) => ({
  ...equal(name, field),
  [`${name}_min`]: rangeFilter(name, 'least', field),
  [`${name}_max`]: rangeFilter(name, 'most', field),
});
/** Bounds of dates stand for whole days. */
const dated = (name: string, field: FieldKind) => ({
  ...equal(name, field),
  [`${name}_min`]: rangeFilter(name, 'least', field, (value, ctx) => startOfDay(String(field.stored!.value!(value, ctx)))),
  [`${name}_max`]: rangeFilter(name, 'most', field, (value, ctx) => endOfDay(String(field.stored!.value!(value, ctx)))),
});

/** The types of fields that users can declare. */
export const declarableKinds = {
  string: { field: (about) => line(about), filters: equal },
  integer: {
    field: (about) =>
      kindOf(wholeNumber(about, { min: Number.MIN_SAFE_INTEGER }), {
        accepts: orNull({ type: ['integer', 'string'] }),
        check: (value) =>
          isUnset(value) || wholeNumberOf(value) !== undefined ? undefined : `must be a whole number, not ${quoted(value)}`,
      }),
    filters: ranged,
  },
  number: { field: decimal, filters: ranged },
  boolean: {
    field: (about) =>
      kindOf(flag(about), {
        shown: { redacted: false },
        compared: { input: (value) => value === true, value: (value) => value === true },
      }),
    filters: (name, { about }) => ({
      [name]: flagFilter(about, { condition: (value) => ({ test: 'equal', column: name, value: isTruthy(value) ? 1 : 0 }) }),
    }),
  },
  date: { field: optionalDate, filters: dated },
  url: {
    field: (about) =>
      url(
        about,
        { type: 'string' },
        {
          compared: { input: responseText, value: responseText },
        },
      ),
    filters: equal,
  },
} satisfies Record<string, DeclarableKind>;

/** The type of a field that users declare. */
export type DeclaredType = keyof typeof declarableKinds;
export const declaredTypes = Object.keys(declarableKinds) as DeclaredType[];
