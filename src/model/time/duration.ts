import { Failure } from '../error.ts';

/** A duration in calendar months, days, and seconds with up to three decimals. */
export interface Duration {
  months: number;
  days: number;
  seconds: number;
}

/** The pattern of ISO 8601 parts. Each can have a sign, and times a fraction, as other programs write them. */
const parts = (letters: string, digits: string) => [...letters].map((letter) => `(?:([+-]?${digits})${letter})?`).join('');
const iso = new RegExp(
  `^([+-]?)P(?=[-+\\dT])${parts('YMWD', '\\d{1,6}')}(?:T(?=[-+\\d])${parts('HMS', '\\d{1,9}(?:[.,]\\d{1,3})?')})?$`,
  'i',
);

const unit: readonly (readonly [words: string, months: number, days: number, seconds: number])[] = [
  ['y|years?', 12, 0, 0],
  ['mo|months?', 1, 0, 0],
  ['w|weeks?', 0, 7, 0],
  ['d|days?', 0, 1, 0],
  ['h|hrs?|hours?', 0, 0, 3600],
  ['m|mins?|minutes?', 0, 0, 60],
  ['s|secs?|seconds?', 0, 0, 1],
  ['ms', 0, 0, 0.001],
];
/** Each unit at most once, longest first. Hours and shorter units can have a fraction. */
const plain = new RegExp(
  `^([+-]?)\\s*(?=\\d)${unit.map(([words, , , seconds]) => `(?:(\\d{1,6}${seconds > 0 ? '(?:\\.\\d{1,3})?' : ''})\\s*(?:${words})(?![a-z])\\s*)?`).join('')}$`,
);

/** Parses a duration such as `200ms`, `1.5s`, `45m`, `1h30m`, `7d`, `1w`, `2 hours`, or ISO 8601 (`P7D`, `P1DT2H`, `-PT90M`, `PT0.5S`). Returns undefined for other text. */
export function readDuration(text: string): Duration | undefined {
  const match = iso.exec(text.trim()) ?? plain.exec(text.trim());
  if (!match) return undefined;
  const sign = match[1] === '-' ? -1 : 1;
  const total: Duration = { months: 0, days: 0, seconds: 0 };
  for (const [at, [, months, days, seconds]] of unit.entries()) {
    const count = sign * Number((match[at + 2] ?? '0').replace(',', '.'));
    if (!count) continue;
    total.months += count * months;
    total.days += count * days;
    total.seconds += Math.round(count * seconds * 1000) / 1000;
  }
  return total;
}

/** A time to wait for or to move by: a number of milliseconds, or a text with a unit, like `1.5s`. */
export type Time = number | string;

/** The longest delay of a fault. */
export const maxDelayMs = 600_000;

/** The uses of a time, with their limits in ms. */
const limits = {
  delay: [0, maxDelayMs],
  timeout: [1, 24 * 86_400_000],
  ttl: [1, Number.POSITIVE_INFINITY],
} as const;
export type TimeUse = keyof typeof limits;

const examples: Record<TimeUse | 'step', string> = {
  delay: '200ms or 1.5s',
  timeout: '500ms, 10s or 2m',
  ttl: '90s, 30m or 1d',
  step: '90m, 1d or P1DT2H',
};
const limitTexts: Partial<Record<string, string>> = { delay: ', up to 10m', timeout: ', up to 24d' };

const timeForm = (use: TimeUse | 'step', alternative = ''): string =>
  `a time with a unit, like ${examples[use]}${alternative}${limitTexts[use] ?? ''}`;

/** The valid texts for a time, with their limit, for messages. */
export const timeTexts = (use: TimeUse | 'step'): string => timeForm(use);

/** The valid texts and numbers for a time, with their limit, for messages. */
export const timeForms = (use: TimeUse | 'step'): string => timeForm(use, ', or a number of milliseconds');

/** A time as a duration; undefined for other values, such as a text without a unit. */
export function durationOf(time: unknown): Duration | undefined {
  if (typeof time === 'string') return readDuration(time);
  return typeof time === 'number' && Number.isFinite(time) ? { months: 0, days: 0, seconds: time / 1000 } : undefined;
}

/** A time in ms; undefined for other values, those outside of the limits of its use, and months. */
export function readTime(time: unknown, use: TimeUse): number | undefined {
  const { months, days, seconds } = durationOf(time) ?? { months: 1, days: 0, seconds: 0 };
  const total = (days * 86_400 + seconds) * 1000;
  const [min, max] = limits[use];
  return months === 0 && total >= min && total <= max ? total : undefined;
}

/** A time in ms. Throws `bad-request` with the name of the option for values that {@link readTime} rejects. */
export function millisecondsIn(time: unknown, name: string, use: TimeUse): number {
  const total = readTime(time, use);
  if (total !== undefined) return total;
  throw new Failure('bad-request', `Invalid ${name} ${JSON.stringify(time)}: must be ${timeForms(use)}`);
}

/** Longest delay of a timer, in ms: 24.8 days. Node and browsers fire a longer one at once. */
export const maxTimerMs = 2 ** 31 - 1;

/**
 * Waits for any time in ms, longer than one timer allows too. Ends early, without an error, at the signal. `keepsRunning: false` lets the process end
 * meanwhile.
 */
export async function wait(
  ms: number,
  { signal, keepsRunning = true, timerMs = maxTimerMs }: { signal?: AbortSignal; keepsRunning?: boolean; timerMs?: number } = {},
): Promise<void> {
  for (let left = ms; left > 0 && !signal?.aborted; left -= timerMs) await waitOnce(Math.min(left, timerMs), signal, keepsRunning);
}

function waitOnce(ms: number, signal: AbortSignal | undefined, keepsRunning: boolean): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    if (!keepsRunning) timer.unref?.();
    signal?.addEventListener('abort', end);
  });
}

/**
 * Runs a task with a signal that aborts with the given one, or with a TimeoutError after a time in ms. `AbortSignal.timeout()` is not used:
 * if only `AbortSignal.any()` refers to its signal, it may be garbage-collected before it fires.
 */
export async function withTimeout<T>(ms: number, signal: AbortSignal, task: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const timeout = new AbortController();
  const abort = () => timeout.abort(new DOMException('The operation was aborted due to timeout', 'TimeoutError'));
  const timer = setTimeout(abort, Math.min(Math.max(0, Math.ceil(ms)), maxTimerMs));
  try {
    return await task(AbortSignal.any([signal, timeout.signal]));
  } finally {
    clearTimeout(timer);
  }
}
