import type { ResourceName } from '../../model/calendar.ts';
import type { RequestContext } from '../../model/context.ts';
import { Failure } from '../../model/error.ts';
import type { Window } from '../../model/ical/recurrence.ts';
import { addMonths, instantOf, startOfDay } from '../../model/time/datetime.ts';
import { toUtc, wallOf } from '../../model/time/time.ts';
import { isZone } from '../../model/time/zone.ts';
import type { LocalCalendar } from '../../store/calendar.ts';
import type { Database } from '../../store/file/sql.ts';
import { dateOption } from '../date-option.ts';
import type { DataFormat } from '../export.ts';
import type { OperationOptions, Summary } from '../summary.ts';
import type { Source } from './source.ts';

/** How a file is imported; what is not given is found out from the file. */
export interface ImportOptions extends OperationOptions {
  format?: DataFormat;
  encoding?: string;
  /** What separates the cells of a table. */
  delimiter?: string;
  /** Headings of a table and the fields that they stand for; '' leaves a column out. */
  map?: ReadonlyMap<string, string>;
  only?: readonly ResourceName[];
  /** The zone of times that name none. */
  tz?: string;
  /** The first and last day of iCalendar events; recurrences are expanded from yesterday to two years ahead unless told. */
  from?: string;
  until?: string;
  /** Leave out what is wrong, and take the rest. */
  lenient?: boolean;
}

/** What the reader of a format works with. */
export interface ImportJob {
  local: LocalCalendar;
  db: Database;
  source: Source;
  /** Takes every outcome and every problem; a problem undoes the import, unless it is lenient. */
  summary: Summary;
  options: ImportOptions;
  /** The stretch of time that recurrences are expanded in. */
  window: Window;
  /** Whether single events outside the window are left out too. */
  strict: boolean;
  /** Whether the calendar had no records before: settings are imported then. */
  empty: boolean;
  /** The calendar's zone. */
  zone: string;
  /** Epoch milliseconds. */
  now: number;
}

/** The window of time that the options ask for. Fails with `bad-request` on a date or zone that cannot be read. */
export function windowOf({ from, until, tz }: ImportOptions, ctx: RequestContext): Pick<ImportJob, 'window' | 'strict'> {
  if (tz !== undefined && !isZone(tz))
    throw new Failure('bad-request', `--tz is not a time zone: ${JSON.stringify(tz)}`, {}, 'Write it like Europe/Paris or UTC+5.5.');
  const { now, zone } = ctx;
  const today = startOfDay(wallOf(now, zone));
  const instant = (name: 'from' | 'until', text: string) => instantOf(toUtc(dateOption(name, text, ctx).wall, zone));
  return {
    window: {
      from: from === undefined ? instantOf(toUtc(today, zone)) - 86_400_000 : instant('from', from),
      until: until === undefined ? instantOf(toUtc(addMonths(today, 24), zone)) : instant('until', until),
    },
    strict: from !== undefined || until !== undefined,
  };
}
