import { type Calendar, type Collection, type Input, type Ref, type ResourceName, resourceNames } from '../model/calendar.ts';
import { Failure } from '../model/error.ts';
import { type CalendarControl, operationGroups } from '../model/operations/all.ts';
import type { OperationGroups } from '../model/operations/operation.ts';
import { adaptersOf } from './adapters.ts';
import type { ControlledCalendar, RecordRef } from './calendar.ts';
import { closedFailure, guarded, shown } from './guarded.ts';
import { checkObject, defined } from './input.ts';

/** The parts of a controlled calendar. */
export interface FaceParts extends Pick<ControlledCalendar, 'url' | 'fetch' | 'fork' | 'close'> {
  calendar: Calendar;
  control: CalendarControl;
  /** The operations of `control`; those of every calendar by default. */
  groups?: OperationGroups;
}

/** Combines the parts of a calendar into the TypeScript API. */
export function faceOf({ url, fetch, fork, close, calendar, control, groups = operationGroups }: FaceParts): ControlledCalendar {
  const collections = Object.fromEntries(resourceNames.map((name) => [name, collectionFace(name, calendar[name])])) as Pick<
    ControlledCalendar,
    (typeof resourceNames)[number]
  >;
  let closing: Promise<void> | undefined;
  const end = (): Promise<void> => {
    closing ??= close();
    return closing;
  };
  const whileOpen = {
    fork,
    ...collections,
    ...operationMethods(control, groups),
  };
  return {
    ...{ url, root: new URL(url).origin },
    ...guarded(whileOpen, () => closing === undefined),
    async fetch(input, init) {
      // Like the `fetch` of a browser for a server that is gone.
      if (closing) throw new TypeError('fetch failed', { cause: closedFailure() });
      return fetch(input, init);
    },
    close: end,
    [Symbol.asyncDispose]: end,
  };
}

/** Converts values as JSON does for a server, so that a calendar in this process accepts the same. */
function asJson(given: object = {}): Input {
  checkObject(given);
  return JSON.parse(JSON.stringify(given));
}

/** Throws `bad-request` for an invalid reference. */
function refOf(ref: RecordRef): Ref {
  if (typeof ref === 'string') return { slug: ref };
  const named = typeof ref === 'object' && ref !== null ? ref : { id: ref };
  if ('slug' in named && !('id' in named)) return { slug: String(named.slug) };
  const id = 'id' in named ? Number(named.id ?? Number.NaN) : Number.NaN;
  if (Number.isSafeInteger(id) && id >= 0) return { id };
  throw new Failure(
    'bad-request',
    `Invalid reference to a record: ${shown(ref)}`,
    {},
    'Pass an ID as a number, a slug as a string, or a record.',
  );
}

/** Returns a collection with the references and types of the TypeScript API. */
const collectionFace = (name: ResourceName, records: Collection) => ({
  async list(parameters?: object) {
    const { entries, ...page } = await records.list(queryOf(asJson(parameters)));
    return { [name]: entries, ...page };
  },
  get: async (ref: RecordRef, parameters?: object) => records.get(refOf(ref), asJson(parameters)),
  create: async (record: object) => records.create(asJson(record)),
  update: async (ref: RecordRef, changes: object) => records.update(refOf(ref), asJson(changes)),
  delete: async (ref: RecordRef) => records.delete(refOf(ref)),
});

/** Converts parameters as a query does: to strings and lists of strings, without null. Links to other pages repeat them. */
const queryOf = (parameters: Input): Input =>
  Object.fromEntries(
    Object.entries(parameters)
      .filter(([, value]) => value !== null)
      .map(([name, value]) => [name, Array.isArray(value) ? value.map(String) : String(value)]),
  );

type Methods = Record<string, (...values: never[]) => Promise<unknown>>;

/** Returns the methods of operations: of `server`, `data` and `sync` at the top, of the other groups under their names. */
function operationMethods(control: CalendarControl, groups: OperationGroups): Omit<ControlledCalendar, keyof FaceParts> {
  const adapters = adaptersOf(control) as unknown as Record<string, Methods>;
  const call = control as unknown as Record<string, (input?: object, signal?: AbortSignal) => Promise<unknown>>;
  const methods = Object.entries(groups).map(([group, operations]): [string, Methods] => {
    const plain = Object.entries(operations).map(([name, { id }]) => [
      name,
      (input?: object, signal?: AbortSignal) => call[id]!(input === undefined ? undefined : defined(input), signal),
    ]);
    return [group, { ...Object.fromEntries(plain), ...adapters[group] }];
  });
  const { server, data, sync, ...named } = Object.fromEntries(methods);
  return { ...named, ...server, ...data, ...sync } as unknown as Omit<ControlledCalendar, keyof FaceParts>;
}
