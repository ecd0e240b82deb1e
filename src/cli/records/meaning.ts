import type { Entry, Input, Resource } from '../../model/calendar.ts';
import type { ListParameter, Query } from '../../model/fields/list.ts';
import { hasDates } from '../../model/resources/relations.ts';
import { boundsIn, checkDays, type HereAndNow, withSpan } from './dates.ts';
import { type Named, Names } from './names.ts';

/** What words on the command line are read by: a calendar's records, users, clock and zone. */
export type Surroundings = Named & HereAndNow;

/** A list query as the API takes it: records by ID, dates of the calendar's zone. Fails with `rest_invalid_param`. */
export async function meantQuery(filters: readonly ListParameter[], query: Query, calendar: Surroundings): Promise<Query> {
  await checkDays(filters, query, calendar);
  return new Names(calendar).resolve(filters, await boundsIn(filters, query, calendar));
}

/** Makes of an input what the API takes: records by ID, an event's dates with each other. Names are looked up once. Fails with `rest_invalid_param`. */
export class Inputs {
  readonly names: Names;

  /** `onUsual` makes the inputs those of new records, and is called with the end of one that was given none. */
  constructor(
    private readonly resource: Resource,
    private readonly calendar: Surroundings,
    private readonly onUsual?: (text: string) => void,
  ) {
    this.names = new Names(calendar);
  }

  /** `before` is the record that the input changes. */
  async meant(input: Input, before?: Entry): Promise<Input> {
    const { fields, name } = this.resource;
    await checkDays(fields, input, this.calendar);
    const resolved = await this.names.resolve(fields, input);
    return hasDates(name) ? withSpan(resolved, before, this.calendar, this.onUsual) : resolved;
  }
}
