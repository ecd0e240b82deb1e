import { Failure } from '../model/error.ts';

/** What was given, for a message. */
export function shown(value: unknown): string {
  if (typeof value === 'object' && value !== null && !(value instanceof Date)) return JSON.stringify(value).slice(0, 200);
  return typeof value === 'string' ? JSON.stringify(value) : String(value);
}

/** What is asked of a calendar that was closed. */
export const closedFailure = () =>
  new Failure(
    'bad-request',
    'this calendar is closed',
    {},
    'Await what is asked of it before close, or before the block of await using ends.',
  );

/** Options of commands as TypeScript has them: `--base-path` is `basePath`. */
const withoutFlags = (hint: string): string =>
  hint.replace(/--([a-z][a-z-]*[a-z])/g, (flag, name: string) =>
    name === 'db' ? flag : name.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase()),
  );

const told = new WeakSet<object>();

/** So many problems of one document stand in a message. */
const mostProblems = 10;

/** A failure whose message says all that is known, as runners of tests show nothing else, and whose stack starts where it was asked for. */
function tell(failure: Failure, frames: string): void {
  if (told.has(failure)) return;
  told.add(failure);
  const { message, data, hint } = failure;
  const { problems } = data as { problems?: readonly { at: string; reason: string }[] };
  const several = Array.isArray(problems) && problems.length > 1 ? problems : [];
  const lines = several.slice(0, mostProblems).map(({ at, reason }) => `  ${at}: ${reason}`);
  if (several.length > mostProblems) lines.push(`  and ${several.length - mostProblems} more`);
  failure.message = [message, ...lines, ...(hint === undefined ? [] : [withoutFlags(hint)])].join('\n');
  failure.stack = `${failure.name}: ${failure.message}${frames}`;
}

/** Where something was asked for, as the lines of a stack; written as text only when it is asked for, which takes longer than most operations. */
export type CallSite = () => string;

/** The place that called a function, which is running. */
export function placeOf(called: (...given: never[]) => unknown): CallSite {
  const here: { stack?: unknown } = {};
  Error.captureStackTrace(here, called);
  return () => /\n[\s\S]*/.exec(String(here.stack))?.[0] ?? '';
}

/** Does some work, whose failures say what to do, and where it was asked for. */
export async function toldAt<T>(place: CallSite, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Failure) tell(error, place());
    throw error;
  }
}

/** The same methods, also those of objects in it, for as long as it is open; after that they fail. Their failures are told. */
export function guarded<T extends object>(methods: T, isOpen: () => boolean): T {
  const guard = ([name, value]: [string, unknown]): [string, unknown] => {
    if (typeof value !== 'function') return [name, guarded(value as object, isOpen)];
    const asked = (...given: unknown[]) =>
      toldAt(placeOf(asked), () => {
        if (!isOpen()) throw closedFailure();
        return value(...given);
      });
    return [name, asked];
  };
  return Object.fromEntries(Object.entries(methods).map(guard)) as T;
}
