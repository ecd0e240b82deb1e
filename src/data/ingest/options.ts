import type { ResourceName } from '../../model/calendar.ts';
import type { RequestContext } from '../../model/context.ts';
import { Failure, type Problem } from '../../model/error.ts';
import type { Window } from '../../model/ical/recurrence.ts';
import { addMonths, type DateTime, instantOf, startOfDay } from '../../model/time/datetime.ts';
import { readDate } from '../../model/time/parse-date.ts';
import { toUtc, wallOf } from '../../model/time/time.ts';
import type { DateOrder } from '../../model/time/typed/digit-date.ts';
import { isYearless, withYear } from '../../model/time/typed/years.ts';
import { isZone } from '../../model/time/zone.ts';
import type { LocalCalendar } from '../../store/calendar.ts';
import type { Database } from '../../store/sqlite/sql.ts';
import type { DataFormat } from '../export.ts';
import type { OperationOptions, Summary } from '../summary.ts';
import type { Source } from './source.ts';

/** Import options. By default, they are detected from the file. */
export interface ImportOptions extends OperationOptions {
  format?: DataFormat;
  encoding?: string;
  /** Separator of CSV cells. */
  delimiter?: string;
  /** Fields by CSV heading; '' ignores a column. */
  map?: ReadonlyMap<string, string>;
  only?: readonly ResourceName[];
  /** Fields by which rows of a table are matched with the records of earlier ones. */
  key?: readonly string[];
  /** Name of the tables that belong together. */
  source?: string;
  /** Move the events of the source that a table with a key lacks to the trash. */
  delete_missing?: boolean;
  /** Lines above the headings of a table; by default, headings below a title are found. */
  skip_rows?: number;
  /** Order of day, month and year in the dates of a table. */
  date_order?: DateOrder;
  /** Year of the dates of a table that have none. */
  year?: number;
  /** Time zone of times without one. */
  tz?: string;
  /** First and last day of iCalendar events. By default, recurrences are expanded from yesterday to two years ahead. */
  from?: string;
  until?: string;
  /** Skip invalid records. */
  lenient?: boolean;
  /** Note every rewritten cell of a table. */
  verbose?: boolean;
  /** For a seed: delete all records first, and leave settings as they are, also in an empty calendar. */
  seed?: { replaces: boolean; keepsSettings: boolean };
}

/** The input of a format's reader. */
export interface ImportJob {
  local: LocalCalendar;
  db: Database;
  source: Source;
  /** Collects outcomes and problems. Unless the import is lenient, problems roll it back. */
  summary: Summary;
  options: ImportOptions;
  /** Period in which recurrences are expanded. */
  window: Window;
  /** True to skip single events outside the window. */
  strict: boolean;
  /** True if the calendar was empty; only then settings are imported. */
  empty: boolean;
  /** The calendar's zone. */
  zone: string;
  /** Base URL of its links. */
  home: string;
  /** Epoch milliseconds. */
  now: number;
  /** The context of the owner. */
  request: RequestContext;
}

/** Throws `bad-request` for an invalid date or time zone. */
export function windowOf({ from, until, tz }: ImportOptions, ctx: RequestContext, notes: Problem[]): Pick<ImportJob, 'window' | 'strict'> {
  if (tz !== undefined && !isZone(tz))
    throw new Failure('bad-request', `Invalid time zone ${JSON.stringify(tz)} for --tz`, 'Examples: Europe/Paris, UTC+5.5.');
  const { now, zone } = ctx;
  const today = startOfDay(wallOf(now, zone));
  const first = from === undefined ? undefined : dateOption('from', from, ctx, { notes }).wall;
  const last = until === undefined ? addMonths(today, 24) : dateOption('until', until, ctx, { first, notes }).wall;
  return {
    window: {
      from: first === undefined ? instantOf(toUtc(today, zone)) - 86_400_000 : instantOf(toUtc(first, zone)),
      until: instantOf(toUtc(last, zone)),
    },
    strict: from !== undefined || until !== undefined,
  };
}

/** Parses the date of an option in the calendar's zone; one without a year is the first after `first`, by default from today, and is noted. Throws `bad-request` with the name of the option. */
export function dateOption(
  name: string,
  text: string,
  { now, zone }: RequestContext,
  { first = wallOf(now, zone), notes }: { first?: DateTime | undefined; notes?: Problem[] } = {},
): NonNullable<ReturnType<typeof readDate>> {
  const dated = withYear(name, text, first.slice(0, 10));
  const date = readDate(dated, now, zone);
  if (date) {
    if (isYearless(text)) notes?.push({ at: `--${name}`, reason: `is ${dated}` });
    return date;
  }
  throw new Failure(
    'bad-request',
    `Invalid date ${JSON.stringify(text)} for --${name}`,
    'Examples: 2027-03-01, today, +3 months. See: calendar help dates',
  );
}
