import { resourceNames } from '../../model/calendar.ts';
import { didYouMean } from '../../model/did-you-mean.ts';
import { Failure, type Problem } from '../../model/error.ts';
import type { Query } from '../../model/fields/list.ts';
import { base64Bytes, utf8Text } from '../../model/formats/bytes.ts';
import type { Done, GenerateInput, ImportInput, SeedInput, ShiftInput } from '../../model/operation-types.ts';
import type { DryRun } from '../../model/operations/summary.ts';
import { resources } from '../../model/resources/all.ts';
import { durationForms, readLength } from '../../model/time/date-steps.ts';
import type { ApplyMode } from '../ingest/fixture.ts';
import type { Source } from '../ingest/source.ts';
import type { OperationOptions, Summary } from '../summary.ts';
import { isEmpty } from '../transaction.ts';
import { reset } from '../world/reset.ts';
import { type Implementations, nodeFor, type OperationContext } from './context.ts';

export const data: Implementations<'data'> = {
  reset: async (context, input) => {
    const { store, world } = context;
    const partsBefore = world?.parts;
    world?.takeInterrupted();
    const messages = world?.served.messages;
    const resets = messages?.resets;
    const done = await withSnapshot(context, 'reset', input, (options) => reset(store, world, input, options));
    const isWhole = !(input.keep?.includes('clock') && input.keep.includes('faults'));
    if (done.undo !== undefined && partsBefore && isWhole) world?.partsBefore.set(done.undo, partsBefore);
    if (!input.dry_run && !input.generated && messages?.resets === resets) messages?.publish('reset', { reason: 'replaced' });
    if (world) context.onClock?.(world.served.clock.state);
    const interrupted = world?.takeInterrupted() ?? [];
    return interrupted.length === 0 ? done : { ...done, in_flight: interrupted };
  },
  undo: (context, { discard }) =>
    timed(async () => {
      const undone = await context.store.snapshots.undo(discard);
      restoreParts(context, undone.restored);
      return undone;
    }),
  seed: (context, input) =>
    withSnapshot(context, input.replace || input.upsert ? 'seed' : undefined, input, (options) => seedRecords(context, input, options)),
  generate: (context, input) => withSnapshot(context, undefined, input, (options) => generateRecords(context, input, options)),
  import: (context, input) => withSnapshot(context, 'import', input, (options) => importRecords(context, input, options)),
  shift: (context, input) => withSnapshot(context, 'shift', input, (options) => shiftRecords(context, input, options)),
  async hidden({ store }, { filters = {} }) {
    for (const name of Object.keys(filters)) if (name !== '_uid') checkFilter(name);
    const { owner } = await import('../../model/viewer.ts');
    return { count: await store.calendarFor(owner, { home: '', root: '' }).events.countHidden!(filters as Query) };
  },
  async export({ store }, { format = 'json', only, fields }) {
    const { exportCalendar } = await import('../export.ts');
    return [...exportCalendar(store, { format, only, fields })].join('');
  },
};

async function seedRecords({ store }: OperationContext, input: SeedInput, options: OperationOptions): Promise<Summary> {
  const [{ seed }, { seedOf }] = await Promise.all([import('../seed.ts'), import('../seeds.ts')]);
  const { seed: source, name, keep_settings } = input;
  return seed(
    store,
    await seedOf(source, name),
    modeOf(input, () => isEmpty(store)),
    options,
    keep_settings,
  );
}

function modeOf({ append, replace, upsert }: SeedInput, isEmpty: () => boolean): ApplyMode {
  if ([append, replace, upsert].filter(Boolean).length > 1) throw new Failure('bad-request', 'Use only one of append, replace and upsert');
  if (replace) return 'replace';
  if (upsert) return 'upsert';
  if (append || isEmpty()) return 'append';
  throw new Failure('conflict', 'The calendar already contains records', 'Pass --append, --replace or --upsert.');
}

async function generateRecords({ store }: OperationContext, input: GenerateInput, options: OperationOptions): Promise<Summary> {
  const { generate } = await import('../generate.ts');
  const { from, until, zones, rng_seed: rngSeed } = input;
  const counts = Object.fromEntries(resourceNames.filter((name) => input[name] !== undefined).map((name) => [name, input[name]]));
  return generate(store, { ...options, counts, from, until, zones, rngSeed: rngSeed === undefined ? undefined : String(rngSeed) });
}

async function importRecords({ store, node }: OperationContext, input: ImportInput, options: OperationOptions): Promise<Summary> {
  const { importData } = await import('../ingest/import.ts');
  const { name: _n, text: _t, base64: _b, file: _f, dry_run: _d, list: _l, map, ...reading } = input;
  const source = await sourceIn(input, node);
  try {
    return await importData(store, source, { ...options, ...reading, ...(map ? { map: new Map(Object.entries(map)) } : {}) });
  } catch (error) {
    throw await withLines(error, input);
  }
}

/** A failure whose problems in a JSON text have its lines: `line 12, events.opening.start_date`. */
async function withLines(error: unknown, { text, base64 }: ImportInput): Promise<unknown> {
  const json = text ?? (base64 === undefined ? '' : utf8Text(base64Bytes(base64)));
  if (!(error instanceof Failure) || !Array.isArray(error.data.problems) || !/^\s*[[{]/.test(json)) return error;
  const { lineFinder } = await import('../json-position.ts');
  const lineAt = lineFinder(json);
  const problems = (error.data.problems as Problem[]).map(({ at, reason }) => {
    const line = /^line \d/.test(at) ? undefined : lineAt(at);
    return { at: line === undefined ? at : `line ${line}, ${at}`, reason };
  });
  return error.with({ data: { ...error.data, problems } });
}

async function sourceIn({ name, text, base64, file }: ImportInput, node: OperationContext['node']): Promise<Source> {
  const { sourceOfContent } = await import('../ingest/source.ts');
  if ([text, base64, file].filter((each) => each !== undefined).length !== 1)
    throw new Failure('bad-request', 'Pass exactly one of text, base64 and file');
  if (file !== undefined) return nodeFor('The import of a file', node).fileSource(name ?? file, file);
  return sourceOfContent({ name, text, base64 });
}

async function shiftRecords(
  { store }: OperationContext,
  { by, generated, filters }: ShiftInput,
  options: OperationOptions,
): Promise<Summary> {
  const { shift } = await import('../shift.ts');
  const duration = readLength(by);
  if (!duration)
    throw new Failure('bad-request', `Invalid duration ${JSON.stringify(by)}`, `Write it like ${durationForms}; with a minus to go back.`);
  for (const name of Object.keys(filters ?? {})) checkFilter(name);
  return shift(store, duration, { ...options, generated, filters: filters as Query | undefined });
}

/** Throws `bad-request` for a name that isn't a list parameter of events. */
function checkFilter(name: string): void {
  const names = resources.events.list.parameters.map((parameter) => parameter.name);
  if (!names.includes(name)) throw new Failure('bad-request', `Unknown filter ${JSON.stringify(name)}`, didYouMean(name, names));
}

export const snapshots: Implementations<'snapshots'> = {
  list: ({ store }) => ({ snapshots: store.snapshots.list() }),
  save: ({ store }, { name, replace }) => store.snapshots.save(name, replace),
  async keep({ store, world }, { what = 'change' }) {
    const snapshot = await store.snapshots.keep(what);
    if (what === 'reset') world?.partsBefore.set(snapshot.name, world.parts);
    return snapshot;
  },
  settle: ({ store }, { name }) => store.snapshots.settle(name),
  file: ({ store }, { name }) => store.snapshots.image(name),
  restore: (context, { name }) =>
    timed(async () => {
      const undo = await context.store.snapshots.restore(name);
      restoreParts(context, name);
      return { restored: name, undo };
    }),
  delete: ({ store }, { name }) => store.snapshots.delete(name),
};

/** Restores clock and faults with the records before a reset. */
function restoreParts({ world, onClock }: OperationContext, snapshot: string): void {
  const parts = world?.partsBefore.get(snapshot);
  if (parts) world?.restoreParts(parts);
  if (world) onClock?.(world.served.clock.state);
}

/**
 * Changes many records and reports what was done. Saves a snapshot named after `what` first, unless nothing can be lost: not of an empty calendar, nor of one in memory, which has
 * its start to go back to.
 */
export async function withSnapshot(
  { store, onProgress }: Pick<OperationContext, 'store' | 'onProgress'>,
  what: string | undefined,
  { dry_run, list }: DryRun,
  work: (options: OperationOptions) => Promise<Summary>,
): Promise<Done> {
  const start = performance.now();
  const run = () => work({ dryRun: dry_run, listChanges: list, onProgress });
  const isUndoable = what !== undefined && !dry_run && store.db.file !== undefined && !isEmpty(store);
  const { result, undo } = isUndoable
    ? await store.snapshots.undoable(what, run, ({ hasChanged }) => hasChanged)
    : { result: await run(), undo: undefined };
  return result.done(performance.now() - start, undo);
}

/** Adds to a result how long it took, in milliseconds. */
async function timed<Result extends object>(work: () => Promise<Result>): Promise<Result & { took: number }> {
  const start = performance.now();
  return { ...(await work()), took: performance.now() - start };
}
