import { resourceNames } from '../../model/calendar.ts';
import { Failure } from '../../model/error.ts';
import type { GenerateInput, ImportInput, PullInput, PushInput, SeedInput, ShiftInput } from '../../model/operations/control.ts';
import { durationForms, readDuration } from '../../model/time/duration.ts';
import type { Store } from '../../store/calendar.ts';
import type { ApplyMode } from '../apply-fixture.ts';
import type { Source } from '../ingest/source.ts';
import type { OperationOptions, Summary } from '../summary.ts';
import type { RemoteCalendar } from '../sync/remote.ts';

/** Opens a calendar at an address that routes start with. */
export type ConnectTo = (root: string, authorization: string | undefined) => Promise<RemoteCalendar & { close(): Promise<void> }>;

/** Makes the records of a seed, or of a fixture. */
export async function seedRecords(store: Store, input: SeedInput, options: OperationOptions): Promise<Summary> {
  const [{ isEmpty, seed }, { seedNamed }] = await Promise.all([import('../seed.ts'), import('../seeds.ts')]);
  const { seed: named, name = 'the fixture' } = input;
  const document = typeof named === 'string' ? await seedNamed(named) : { name, document: named };
  return seed(
    store,
    document,
    modeOf(input, () => isEmpty(store)),
    options,
  );
}

function modeOf({ append, replace, upsert }: SeedInput, isEmpty: () => boolean): ApplyMode {
  if ([append, replace, upsert].filter(Boolean).length > 1)
    throw new Failure('bad-request', 'of append, replace and upsert only one can be meant');
  if (replace) return 'replace';
  if (upsert) return 'upsert';
  if (append || isEmpty()) return 'append';
  throw new Failure('conflict', 'the calendar holds records already', {}, 'Say what to do with them: --append, --replace or --upsert.');
}

/** Makes records up. */
export async function generateRecords(store: Store, input: GenerateInput, options: OperationOptions): Promise<Summary> {
  const { generate } = await import('../generate.ts');
  const { from, until, zones, rng_seed: rngSeed } = input;
  const counts = Object.fromEntries(resourceNames.filter((name) => input[name] !== undefined).map((name) => [name, input[name]]));
  return generate(store, { ...options, counts, from, until, zones, rngSeed });
}

/** Takes records in. */
export async function importRecords(store: Store, input: ImportInput, options: OperationOptions): Promise<Summary> {
  const { importData } = await import('../ingest/import.ts');
  const { name: _n, text: _t, base64: _b, file: _f, dry_run: _d, list: _l, map, ...reading } = input;
  return importData(store, await sourceIn(input), { ...options, ...reading, ...(map ? { map: new Map(Object.entries(map)) } : {}) });
}

async function sourceIn({ name, text, base64, file }: ImportInput): Promise<Source> {
  const { fileSource, sourceOf } = await import('../ingest/source.ts');
  if ([text, base64, file].filter((each) => each !== undefined).length !== 1)
    throw new Failure('bad-request', 'an import takes exactly one of text, base64 and file');
  if (file !== undefined) return fileSource(name ?? file, file);
  return sourceOf(name ?? 'the text', text === undefined ? Buffer.from(base64!, 'base64') : Buffer.from(text));
}

/** Moves all events. */
export async function shiftRecords(store: Store, { by, generated }: ShiftInput, options: OperationOptions): Promise<Summary> {
  const { shift } = await import('../shift.ts');
  const duration = readDuration(by);
  if (!duration)
    throw new Failure(
      'bad-request',
      `not a duration: ${JSON.stringify(by)}`,
      {},
      `Write it like ${durationForms}; back in time with a minus.`,
    );
  return shift(store, duration, { ...options, generated });
}

/** Copies the calendar at another server to here. */
export async function pullRecords(store: Store, connectTo: ConnectTo, input: PullInput, options: OperationOptions): Promise<Summary> {
  const { pull } = await import('../sync/pull.ts');
  const { since, only, restart } = input;
  return withRemote(connectTo, input, (remote) => pull(store, remote, { ...options, since, only, restart }));
}

/** Copies this calendar to another server. */
export async function pushRecords(store: Store, connectTo: ConnectTo, input: PushInput, options: OperationOptions): Promise<Summary> {
  const { push } = await import('../sync/push.ts');
  const { only, delete: deleting } = input;
  return withRemote(connectTo, input, (remote) => push(store, remote, { ...options, only, delete: deleting }));
}

async function withRemote<T>(
  connectTo: ConnectTo,
  { root, authorization }: PullInput | PushInput,
  work: (remote: RemoteCalendar) => Promise<T>,
): Promise<T> {
  const remote = await connectTo(root, authorization);
  try {
    return await work(remote);
  } finally {
    await remote.close();
  }
}
