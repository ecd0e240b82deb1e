import type { Extension } from '../model/context.ts';
import { didYouMean } from '../model/did-you-mean.ts';
import { Failure } from '../model/error.ts';
import type { FaultInput } from '../model/operations/faults.ts';
import type { NewUser } from '../model/viewer.ts';
import type { Durability } from '../store/file/sql.ts';
import { shown } from './guarded.ts';
import { defined } from './input.ts';

/** What a calendar starts with, and how it is served. The names are those of `calendar serve`, and so is what happens without them, but for the port: any free one. */
export interface CalendarOptions {
  /** What it starts with where it holds nothing yet: the name of a seed, a fixture, or the path or address of one. */
  seed?: string | object;
  /** Where the clock is stopped at the start, like `2027-03-01T09:00Z`; without an offset in `timezone`. The clock runs by default. */
  now?: string | Date;
  /** The file that holds it; without one it is in memory. */
  file?: string;
  /** The calendar's own time zone. */
  timezone?: string;
  /** Settings that it starts with. */
  settings?: Record<string, string>;
  /** Users that it starts with, or the path of a JSON file of them. */
  users?: readonly NewUser[] | string;
  port?: number;
  host?: string;
  basePath?: string;
  namespace?: string;
  headerPrefix?: string;
  /** Origins of pages that may call, `*` for all; those of this machine when absent. */
  cors?: readonly string[];
  /** Parts of the service to do without: `geolocation`, `tickets`. */
  without?: readonly Extension[];
  /** When a write is answered: when it is on disk (`full`), with the system (`os`), or at once (`none`). */
  durability?: Durability;
  /** Bytes of the largest body that is read. */
  maxBody?: number;
  /** Whether nothing can be changed; a file is shown as it is at this moment. */
  readOnly?: boolean;
  /** What goes wrong with which requests from the start, and after each reset. */
  faults?: readonly FaultInput[];
  /** Whether there is a web page besides the API. */
  page?: boolean;
  /** Whether others may reset, fill and replace the calendar over HTTP; those of a file only where this is true. */
  control?: boolean;
  /** Who controls the calendar over HTTP has to bring this. */
  controlToken?: string;
}

/** For each option: whether a value can be one, and what it has to be, in words. */
export type OptionChecks<Options> = Record<keyof Options, readonly [holds: (value: unknown) => boolean, expected: string]>;

/** The options that are given. Fails with `bad-request` for what is none, and for a value that cannot be one: not everybody who calls has a compiler. */
export function checkedOptions<Options extends object>(caller: string, given: Options, checks: OptionChecks<Options>): Options {
  const options = defined(given);
  for (const [name, value] of Object.entries(options)) {
    const known = Object.hasOwn(checks, name) ? checks[name as keyof Options] : undefined;
    if (!known)
      throw new Failure('bad-request', `${caller} knows no option ${JSON.stringify(name)}`, {}, didYouMean(name, Object.keys(checks)));
    const [holds, expected] = known;
    if (!holds(value)) throw new Failure('bad-request', `${name} must be ${expected}: ${shown(value)}`);
  }
  return options as Options;
}
