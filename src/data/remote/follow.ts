import { Failure } from '../../model/error.ts';
import type { Done } from '../../model/operation-types.ts';
import { wait } from '../../model/time/duration.ts';
import { isRejected } from './site.ts';

/** Maximum time between two pulls of a site that fails, in ms. */
const maxDelayMs = 3_600_000;

/** The time until the next pull, in ms: twice as long after each failure, up to an hour. */
export const delayAfter = (everyMs: number, failures: number): number => Math.min(everyMs * 2 ** failures, Math.max(everyMs, maxDelayMs));

/** True if a site rejects requests: of the user, of this address, or of all for some time. */
const isRejection = ({ status }: Failure): boolean => [401, 403, 429].includes(status);

/**
 * The time until a site that failed is asked again, in ms: what it says, or the next of the growing times. After 401 and 429, at least what it says or an hour: limits of logins lock out users
 * who repeat a wrong password.
 */
function delayFor({ status, data }: Failure, everyMs: number, failures: number, now: number): number {
  const { retry_after: header } = data;
  const retryMs =
    header === undefined ? Number.NaN : /^\d+$/.test(String(header)) ? Number(header) * 1000 : Date.parse(String(header)) - now;
  if (status === 401 || status === 429) return Math.max(everyMs, Number.isNaN(retryMs) ? maxDelayMs : Math.min(retryMs, maxDelayMs));
  return Math.max(delayAfter(everyMs, failures), Number.isNaN(retryMs) ? 0 : Math.min(retryMs, maxDelayMs));
}

interface FollowSettings {
  /** Name of the site in messages. */
  host: string;
  /** Time between pulls, in ms; absent for one pull. */
  everyMs?: number;
  /** Pulls once. */
  pull(): Promise<Done>;
  /** Returns when the copy was last complete, in ISO 8601; null for never. */
  pulled(): string | null;
  /** Returns true while the site must not be asked: with another clock. */
  isPaused?(): boolean;
  /** Called with a line when the state changes. */
  notice(line: string): void;
  /** The time of the system, in epoch ms. */
  system(): number;
  signal: AbortSignal;
  /** True to end with the failure of a site whose API rejects the user, instead of trying again later. */
  endsWhenRejected?: boolean;
  /** True while nothing can be used before the first pull: it ends if the address is wrong. */
  needsFirst?(): boolean;
  /** False to let the process end while it waits (default true). */
  keepsRunning?: boolean;
}

type State = 'pulling' | 'current' | 'failing' | 'rejected';

/** Pulls from a site again and again. What it says about the age of the copy is the same everywhere. */
export class Follow {
  #state: State = 'pulling';
  #failure: Failure | undefined;
  /** When the site first failed, and when it is asked next, in epoch ms. */
  #failingSince = 0;
  #nextMs: number | undefined;
  #failures = 0;
  /** Number of pulls that ended, and time from the last one to the next, in ms. */
  #pulls = 0;
  #delayMs: number | undefined;
  /** The last wait of the pull that runs. */
  #wait: { status: number; untilMs: number } | undefined;
  /** The pull that runs, or the last one. */
  #running: Promise<Done> | undefined;

  constructor(private readonly options: FollowSettings) {}

  /** Pulls until it is aborted; only once without a time between pulls. Rejects with the failure of the first pull if nothing is tried again. */
  async run(): Promise<void> {
    const { everyMs, signal, isPaused, needsFirst, keepsRunning = true } = this.options;
    for (let isFirst = true; !signal.aborted; isFirst = false) {
      try {
        if (!isPaused?.()) await this.pullNow();
      } catch (error) {
        if (signal.aborted) return;
        if (!(error instanceof Failure) || (everyMs === undefined && isFirst)) throw error;
        const isWrong = isFirst && needsFirst?.() && error.status < 500 && !isRejection(error);
        if (isWrong || (isFirst && error.code === 'not-confirmed') || this.#endsWith(error)) throw error;
      }
      if (everyMs === undefined) return;
      // A pull at the request of a user postpones the next one.
      for (let pulls = -1; pulls !== this.#pulls && !signal.aborted; ) {
        pulls = this.#pulls;
        await wait(this.#delayMs ?? everyMs, { signal, keepsRunning });
      }
    }
  }

  #endsWith(error: Failure): boolean {
    return this.options.endsWhenRejected === true && isRejected(error);
  }

  /** Notes that the pull that runs waits because the site limits requests, until a time in epoch ms. */
  onWait(status: number, untilMs: number): void {
    const isNew = this.#wait === undefined;
    this.#wait = { status, untilMs };
    if (isNew) this.options.notice(this.text);
  }

  /** Pulls now, or waits for the pull that runs. */
  async pullNow(): Promise<Done> {
    this.#running ??= this.#pull().finally(() => {
      this.#running = undefined;
      this.#wait = undefined;
      this.#pulls++;
    });
    return this.#running;
  }

  #schedule(delayMs: number | undefined): void {
    this.#delayMs = delayMs;
    this.#nextMs = delayMs === undefined ? undefined : this.options.system() + delayMs;
  }

  async #pull(): Promise<Done> {
    const { host, pull, everyMs, system, notice, pulled } = this.options;
    const wasComplete = pulled() !== null;
    try {
      const done = await pull();
      const hadFailed = this.#failure !== undefined;
      this.#failures = 0;
      this.#failure = undefined;
      this.#schedule(everyMs);
      this.#state = 'current';
      if (hadFailed) notice(`${host} responds again. Serving the copy from ${clockText(pulled())}.`);
      else if (!wasComplete) notice(`Copied ${host}: ${done.created} records.`);
      return done;
    } catch (error) {
      if (!(error instanceof Failure) || this.options.signal.aborted) throw error;
      const state = isRejection(error) ? 'rejected' : 'failing';
      if (this.#state !== 'failing' && this.#state !== 'rejected') this.#failingSince = system();
      this.#schedule(everyMs && !this.#endsWith(error) ? delayFor(error, everyMs, this.#failures++, system()) : undefined);
      this.#failure = error;
      const isNew = this.#state !== state;
      this.#state = state;
      if (isNew) notice(this.text);
      throw error;
    }
  }

  /** True if the last pull failed. */
  get isFailing(): boolean {
    return this.#failure !== undefined;
  }

  /** The age of the copy, and what happens next. */
  get text(): string {
    const { host, pulled, system, isPaused } = this.options;
    const at = pulled();
    const next = this.#nextMs === undefined ? '' : ` Next attempt in ${ageText(this.#nextMs - system())}.`;
    const serving = at === null ? ' Nothing was copied yet.' : ` Serving the copy from ${clockText(at)}.`;
    if (this.#wait && this.#wait.untilMs > system()) {
      const why = this.#wait.status === 429 ? 'limits requests' : `returned ${this.#wait.status}`;
      return `${host} ${why}.${serving} Going on at ${clockText(this.#wait.untilMs)}.`;
    }
    if (this.#state === 'rejected') return `${host} rejects requests: ${this.#failure!.message}.${serving}${next}`;
    if (this.#state === 'failing') {
      const why =
        this.#failure!.code === 'unreachable'
          ? `has not responded since ${clockText(this.#failingSince)}`
          : `fails: ${this.#failure!.message}`;
      return `${host} ${why}.${serving}${next}`;
    }
    if (at === null) return isPaused?.() ? `Nothing is requested from ${host}, because the clock is stopped.` : `Copying ${host}.`;
    return `Copy of ${host}, ${ageText(system() - Date.parse(at))} old.`;
  }
}

/** A time of day, by the clock of the machine. */
const clockText = (time: string | number | null): string => (time === null ? 'never' : new Date(time).toTimeString().slice(0, 5));

/** A time as '45 s', '12 min', '3 h' or '2 days'. */
export function ageText(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.round(minutes / 60);
  return hours < 48 ? `${hours} h` : `${Math.round(hours / 24)} days`;
}
