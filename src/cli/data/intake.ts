import type { Window } from '../../model/ical-recurrence.ts';
import type { Problem } from '../../model/problem.ts';
import type { ResourceName } from '../../model/resource.ts';
import type { Desk } from '../../store/open.ts';
import type { Spool } from './spool.ts';
import type { Tally } from './tally.ts';

/** What an import works with. */
export interface Import {
  desk: Desk;
  spool: Spool;
  tally: Tally;
  /** What is wrong; more than nothing undoes the import, unless it is lenient. */
  problems: Problem[];
  done(count: number): void;
  options: ImportOptions;
  /** Whether there was no record before: settings are taken then. */
  empty: boolean;
  zone: string;
}

/** How a file is taken in. */
export interface ImportOptions {
  encoding?: string;
  delimiter?: string;
  map?: ReadonlyMap<string, string>;
  only?: ResourceName[];
  tz?: string;
  /** The stretch of time that recurrences are expanded in, and whether single events outside are left out too. */
  window: Window;
  strict: boolean;
}
