import { isEmpty, seed as makeRecords } from '../data/seed.ts';
import { seedNamed } from '../data/seeds.ts';
import { plainBasePath, plainNamespace, type ServingOptions, usualServing } from '../data/serving/options.ts';
import { readOnlyService } from '../data/serving/read-only.ts';
import { type ServedCalendar, serveCalendar } from '../data/serving/serve.ts';
import { putUsers } from '../data/serving/users.ts';
import type { CalendarControl, OperationName } from '../model/control.ts';
import { didYouMean } from '../model/did-you-mean.ts';
import { Failure } from '../model/error.ts';
import { readInstant } from '../model/time/instant.ts';
import { type NewUser, owner } from '../model/viewer.ts';
import type { Store } from '../store/calendar.ts';
import { serviceOf } from '../store/service.ts';
import type { ControlledCalendar } from './calendar.ts';
import { defined, faceOf, instantText, seedInput } from './face.ts';
import { fetchOver } from './fetch.ts';
import type { CalendarOptions } from './options.ts';
import { connectorHere } from './transport.ts';

const optionNames: Record<keyof CalendarOptions, true> = {
  ...{ seed: true, now: true, file: true, timezone: true, settings: true, users: true, port: true, host: true, basePath: true },
  ...{ namespace: true, headerPrefix: true, cors: true, without: true, durability: true, maxBody: true, page: true, control: true },
  ...{ readOnly: true, faults: true, controlToken: true },
};

/** See {@link createCalendar}. */
export async function createServed(options: CalendarOptions): Promise<ControlledCalendar> {
  const { seed, now, timezone, settings, users, control, page = true, basePath, namespace, ...rest } = checkedOptions(options);
  const given = seed === undefined ? undefined : await seedInput(seed);
  const first = defined({ ...settings, timezone: timezone ?? settings?.timezone }) as Record<string, string>;
  return serve({
    ...{ ...usual, ...rest },
    basePath: plainBasePath(basePath ?? usualServing.basePath),
    namespace: plainNamespace(namespace ?? usualServing.namespace),
    open: control ?? rest.file === undefined,
    seed: given && (typeof given.seed === 'string' ? given.seed : (given.name ?? 'a fixture')),
    now: now === undefined ? undefined : instantOf(now),
    page: page ? webPage : undefined,
    async prepare(store) {
      await put(store, first);
      if (users !== undefined) await putUsers(store, await usersFrom(users));
      if (!given || !isEmpty(store)) return;
      const document =
        typeof given.seed === 'string' ? await seedNamed(given.seed) : { name: given.name ?? 'the seed', document: given.seed };
      await makeRecords(store, document, 'append');
      // A fixture has settings too; those that are given here go before.
      await put(store, first);
    },
  });
}

/** What every calendar of this process has. */
const usual = { ...usualServing, port: 0, timeout: 5000, keepsStart: true, system: () => Date.now(), connectTo: connectorHere } as const;

/** Fails with `bad-request` for what is no option. */
function checkedOptions(options: CalendarOptions): CalendarOptions {
  for (const name of Object.keys(options))
    if (!Object.hasOwn(optionNames, name))
      throw new Failure(
        'bad-request',
        `createCalendar knows no option ${JSON.stringify(name)}`,
        {},
        didYouMean(name, Object.keys(optionNames)),
      );
  return defined(options) as CalendarOptions;
}

function instantOf(now: string | Date): number {
  const instant = readInstant(instantText(now));
  if (instant !== undefined) return instant;
  throw new Failure('bad-request', `now is not an instant: ${JSON.stringify(now)}`, {}, 'Write it like 2027-03-01T09:00:00Z.');
}

const webPage = async () => (await import('../web/page.ts')).webPage();

async function usersFrom(users: readonly NewUser[] | string): Promise<readonly NewUser[]> {
  if (typeof users !== 'string') return users;
  return (await import('../data/users-file.ts')).readUsers(users);
}

async function put(store: Store, settings: Record<string, string>): Promise<void> {
  if (!Object.keys(settings).length) return;
  await store.change((local) => {
    for (const [name, value] of Object.entries(settings)) local.settings.set(name, value);
  });
}

/** Serves a calendar, and puts a face on it. */
async function serve(options: ServingOptions): Promise<ControlledCalendar> {
  const served = await serveCalendar(options);
  const { store, root, listening, handle } = served;
  return faceOf({
    url: root,
    fetch: fetchOver(handle, root),
    calendar: (options.readOnly ? readOnlyService(serviceOf(store)) : serviceOf(store)).calendar(owner, { home: listening.url, root }),
    control: checkedControl(served.control),
    fork: () => forkOf(served, options),
    close: () => served.close(),
  });
}

function forkOf({ store, clock }: ServedCalendar, options: ServingOptions): Promise<ControlledCalendar> {
  const { now, frozen, ahead } = clock.state;
  const time = frozen ? { now: Date.parse(now) } : { now: undefined, system: () => Date.now() + ahead };
  return serve({
    ...options,
    ...time,
    prepare: undefined,
    file: undefined,
    readOnly: undefined,
    image: store.image(),
    port: 0,
    open: true,
  });
}

/** Serves a copy of a calendar, which the bytes of a SQLite file hold. */
export const serveCopy = (bytes: Uint8Array, options: Pick<ServingOptions, 'basePath' | 'namespace' | 'now' | 'system'>) =>
  serve({ ...usual, open: true, page: webPage, ...options, image: { bytes } });

/** Control whose inputs are checked as a server checks them. */
function checkedControl(control: CalendarControl): CalendarControl {
  const checked = (name: OperationName) => async (given?: object, signal?: AbortSignal) => {
    const input = defined(given);
    const perform = control[name] as (input?: unknown, signal?: AbortSignal) => Promise<unknown>;
    // Nothing needs no check, nor what checks.
    if (!Object.keys(input).length) return perform(given && input, signal);
    const { checkedInput } = await import('../server/control/inputs.ts');
    return perform(checkedInput(name, input), signal);
  };
  return Object.fromEntries(Object.keys(control).map((name) => [name, checked(name as OperationName)])) as unknown as CalendarControl;
}
