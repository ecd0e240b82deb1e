import type { RequestContext } from '../context.ts';
import type { SqlValue } from '../record.ts';
import { endOfDay, startOfDay } from '../time/datetime.ts';
import { readDate } from '../time/parse-date.ts';
import { dateText, isTruthy, listOf, quoted, toWholeNumber as wholeNumberOf } from './coerce.ts';
import { date, dateFault } from './date.ts';
import { type FieldKind, orNull, responseText } from './field.ts';
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
    column: { type: 'TEXT' },
    wire: { type: 'string', default: null },
    accepts: orNull({ type: 'string' }),
    clearable: true,
    lasting: false,
    always: undefined,
    check: (value, ctx) => (isUnset(value) ? undefined : dateFault(value, ctx)),
    stored: (value, ctx) => (isUnset(value) ? null : readDate(dateText(value), ctx.now, ctx.zone)!.wall),
    schema: (z) => z.union([z.string(), z.int()]).nullable(),
    empty: null,
    redacted: null,
    response: orNull({ type: 'string', description: about }),
    isAbsent: (value) => value === null,
    fromResponse: (value) => value ?? null,
    compared: (value) => value ?? null,
  });

/** One of several comma-separated values. */
const anyOf = (name: string, { about, check, stored, placeholder, topic, column }: FieldKind): FilterKind => {
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
      values: listOf(value).map((item) => stored!(item, ctx)),
      folded: column?.type === 'TEXT',
    }),
  };
};

/** A lower or upper bound. */
const rangeFilter = (
  name: string,
  edge: 'least' | 'most',
  { about, check, stored, placeholder, topic }: FieldKind,
  columnFrom: (value: unknown, ctx: RequestContext) => SqlValue = stored!,
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
  [`${name}_min`]: rangeFilter(name, 'least', field, (value, ctx) => startOfDay(String(field.stored!(value, ctx)))),
  [`${name}_max`]: rangeFilter(name, 'most', field, (value, ctx) => endOfDay(String(field.stored!(value, ctx)))),
});

/** The types of fields that users can declare. */
export const declarableKinds = {
  string: { field: (about) => line(about), filters: equal },
  integer: {
    field: (about) => ({
      ...wholeNumber(about, { min: Number.MIN_SAFE_INTEGER }),
      accepts: orNull({ type: ['integer', 'string'] }),
      check: (value) => (isUnset(value) || wholeNumberOf(value) !== undefined ? undefined : `must be a whole number, not ${quoted(value)}`),
    }),
    filters: ranged,
  },
  number: { field: decimal, filters: ranged },
  boolean: {
    field: (about) => ({ ...flag(about), redacted: false, fromResponse: (value) => value === true, compared: (value) => value === true }),
    filters: (name, { about }) => ({
      [name]: flagFilter(about, { condition: (value) => ({ test: 'equal', column: name, value: isTruthy(value) ? 1 : 0 }) }),
    }),
  },
  date: { field: optionalDate, filters: dated },
  url: { field: (about) => url(about, { type: 'string' }, { fromResponse: responseText, compared: responseText }), filters: equal },
} satisfies Record<string, DeclarableKind>;

/** The type of a field that users declare. */
export type DeclaredType = keyof typeof declarableKinds;
export const declaredTypes = Object.keys(declarableKinds) as DeclaredType[];
