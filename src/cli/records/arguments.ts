import type { Entry, Input, Resource } from '../../model/calendar.ts';
import { invalidParams } from '../../model/error.ts';
import type { ListParameter, Query } from '../../model/fields/list.ts';
import { hasDates } from '../../model/resources/relations.ts';
import { readTypedDates } from '../days/locale.ts';
import { type ClockAndZone, checkDays, moveDates, queryInZone, withSpan, withYears } from './dates.ts';
import { type NameScope, Names } from './names.ts';

/** A calendar's records, users, clock and time zone, which arguments refer to. */
export type ArgumentScope = NameScope & ClockAndZone;

/** A list query with the IDs of named records and dates in the calendar's zone. Throws `rest_invalid_param`. */
export async function resolveQuery(
  filters: readonly ListParameter[],
  query: Query,
  calendar: ArgumentScope,
  onYear?: (text: string) => Promise<void>,
): Promise<Query> {
  const typed = { ...query };
  // The API ignores some empty filters, such as a status.
  const empty = filters.find(({ name }) => typed[name] === '');
  if (empty) throw invalidParams({ [empty.name]: { reason: 'must not be empty' } });
  readTypedDates(
    typed,
    filters.filter(({ topic }) => topic === 'dates').map(({ name }) => name),
  );
  const dated = await withYears(filters, typed, calendar, { onYear });
  await checkDays(filters, dated, calendar);
  return new Names(calendar).resolve(filters, await queryInZone(filters, dated, calendar));
}

interface InputOptions {
  /** For new records: called with a notice if an event gets a default end. */
  onDefaultEnd?: (text: string) => void;
  /** Creates linked records, such as venues, whose names are unknown. */
  createMissing?: boolean;
}

/** Converts inputs for the API: replaces names of records with IDs and resolves an event's dates. Looks up each name once. */
export class Inputs {
  readonly names: Names;

  constructor(
    private readonly resource: Resource,
    private readonly calendar: ArgumentScope,
    private readonly options: InputOptions = {},
  ) {
    this.names = new Names(calendar, options.createMissing);
  }

  /** `before` is the record that the input changes. Throws `rest_invalid_param`. */
  async resolve(input: Input, before?: Entry): Promise<Input> {
    const { fields, name } = this.resource;
    const dated = await withYears(fields, input, this.calendar, { before });
    await checkDays(fields, dated, this.calendar);
    const own = before ? await moveDates(fields, dated, before, () => this.calendar.zone()) : dated;
    const resolved = await this.names.resolve(fields, own);
    return hasDates(name) ? withSpan(resolved, before, this.calendar, this.options.onDefaultEnd) : resolved;
  }
}
