import { Failure } from '../model/error.ts';

/** Formats a value for a message. */
export function shown(value: unknown): string {
  if (typeof value === 'object' && value !== null && !(value instanceof Date)) return JSON.stringify(value).slice(0, 200);
  return typeof value === 'string' ? JSON.stringify(value) : String(value);
}

/** The failure of a call on a closed calendar. */
export const closedFailure = () =>
  new Failure('bad-request', 'This calendar is closed', 'Await its methods before close, or before the block of await using ends.');

/** Replaces options of commands with those of TypeScript: `--base-path` with `basePath`. */
const withoutFlags = (hint: string): string =>
  hint.replace(/--([a-z][a-z-]*[a-z])/g, (flag, name: string) =>
    name === 'db' ? flag : name.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase()),
  );

/** The failures whose message is complete. */
const completed = new WeakSet<object>();

/** Maximum number of problems in a message. */
const maxProblems = 10;

/** The message of a failure with its problems and its hint, each on a line. */
export function completeText(failure: Failure): string {
  if (completed.has(failure)) return failure.message;
  const { message, data, hint } = failure;
  const { problems } = data as { problems?: readonly { at: string; reason: string }[] };
  const several = Array.isArray(problems) && problems.length > 1 ? problems : [];
  const lines = several.slice(0, maxProblems).map(({ at, reason }) => `  ${at}: ${reason}`);
  if (several.length > maxProblems) lines.push(`  and ${several.length - maxProblems} more`);
  return [message, ...lines, ...(hint === undefined ? [] : [withoutFlags(hint)])].join('\n');
}

/** Completes the message of a failure, because test runners show nothing else, and lets its stack start at the call. */
function complete(failure: Failure, frames: string): void {
  if (completed.has(failure)) return;
  failure.message = completeText(failure);
  completed.add(failure);
  if (failure.hint !== undefined) Object.assign(failure, { hint: withoutFlags(failure.hint) });
  failure.stack = `${failure.name}: ${failure.message}${frames}`;
}

/** Returns the stack of a call. Formatting it takes longer than most operations, so it is done on demand. */
type CallSite = () => string;

/** Returns the place that called a running function. */
export function callSiteOf(called: (...given: never[]) => unknown): CallSite {
  const here: { stack?: unknown } = {};
  Error.captureStackTrace?.(here, called);
  return () => /\n[\s\S]*/.exec(String(here.stack))?.[0] ?? '';
}

/** Runs work and completes its failures with their hint and call site. */
export async function atCallSite<T>(place: CallSite, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Failure) complete(error, place());
    throw error;
  }
}

const AsyncGeneratorFunction = Object.getPrototypeOf(async function* () {}).constructor;

/** Iterates, and completes failures with their hint and call site. */
async function* iterate<T>(place: CallSite, open: () => AsyncIterable<T>): AsyncGenerator<T, void, undefined> {
  try {
    yield* open();
  } catch (error) {
    if (error instanceof Failure) complete(error, place());
    throw error;
  }
}

/** Wraps methods, also those of nested objects: they throw after the calendar is closed, and their failures are complete. */
export function guarded<T extends object>(methods: T, isOpen: () => boolean): T {
  const guard = ([name, value]: [string, unknown]): [string, unknown] => {
    if (typeof value !== 'function') return [name, guarded(value as object, isOpen)];
    const method = (...values: unknown[]) => {
      const call = () => {
        if (!isOpen()) throw closedFailure();
        return value(...values);
      };
      return value instanceof AsyncGeneratorFunction ? iterate(callSiteOf(method), call) : atCallSite(callSiteOf(method), call);
    };
    return [name, method];
  };
  return Object.fromEntries(Object.entries(methods).map(guard)) as T;
}
