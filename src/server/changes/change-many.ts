import { machine } from '../../machine.ts';
import { type Collection, resourceNames } from '../../model/calendar.ts';
import { Failure } from '../../model/error.ts';
import { isObject } from '../../model/fields/coerce.ts';
import type { Input } from '../../model/record.ts';
import type { ChangesInput, ChangesProgress, RecordsChange, UnchangedRecord } from '../../model/record-changes.ts';
import { durationForms, movedDates, readLength } from '../../model/time/date-steps.ts';
import { readJson } from '../body.ts';
import type { Call, Result } from '../http.ts';
import { asFailure, checkEpoch } from '../response.ts';
import type { Replaced, UndoableChange } from './undo-log.ts';

/** Maximum number of records that one transaction changes, so that the stream of changes names each beside the terms that count it; and the time after which it ends, in ms. */
const [maxBatch, maxBatchMs] = [60, 100];
/** Maximum number of records in one request. */
const maxChanges = 100_000;
/** The change of one record: new values, a duration to move it by, or its deletion. */
type SingleChange = Pick<UnchangedRecord, 'resource' | 'id'> & Pick<RecordsChange, 'fields' | 'shift'>;

/** The parts of a call that changes need. */
type Caller = Pick<Call, 'service' | 'viewer' | 'site'> & { request: Pick<Call['request'], 'epoch'> };

/** Changes or deletes many records as their caller may, in batches, between which other requests are handled. Each is a line of progress; what is done stays done if the client goes away. */
export function changeMany(call: Call): Result {
  const { viewer, undoLog } = call;
  const input = inputOf(call);
  const texts =
    'undo' in input ? putBack(call, undoLog.take(input.undo, viewer.name)) : changeRecords(call, input.changes, undoLog.begin(viewer.name));
  const headers = { 'Content-Type': 'application/x-ndjson', 'Cache-Control': 'no-store' };
  return { status: 200, headers, stream: { texts: linesOf(texts), stop: () => {} } };
}

async function* linesOf(all: AsyncIterable<ChangesProgress>): AsyncGenerator<string> {
  for await (const progress of all) yield `${JSON.stringify(progress)}\n`;
}

/** Throws `bad-request` for a body that is not a ChangesInput. */
function inputOf({ request }: Call): ChangesInput {
  const value = readJson(request.body);
  const isChange = (each: unknown): each is RecordsChange =>
    isObject(each) &&
    resourceNames.some((name) => name === each.resource) &&
    Array.isArray(each.ids) &&
    each.ids.every((id) => Number.isSafeInteger(id) && id > 0) &&
    (each.fields === undefined || isObject(each.fields)) &&
    (each.shift === undefined || (typeof each.shift === 'string' && each.resource === 'events'));
  if (isObject(value)) {
    const { undo, changes } = value;
    if (typeof undo === 'string') return { undo };
    if (Array.isArray(changes) && changes.every(isChange)) {
      const total = changes.reduce((sum, { ids }) => sum + ids.length, 0);
      if (total <= maxChanges) return { changes };
      throw new Failure('bad-request', `Too many records: ${total}. The maximum is ${maxChanges}`);
    }
  }
  throw new Failure('bad-request', 'The body must be {"changes": [{"resource", "ids", "fields"}]} or {"undo": ID}');
}

/** Changes records in batches and yields the progress. Adds what was replaced to `change`, if it can be undone. */
export async function* changeRecords(
  caller: Caller,
  changes: readonly RecordsChange[],
  { undo, change }: { undo?: string; change?: UndoableChange } = {},
): AsyncGenerator<ChangesProgress> {
  const singles = changes.flatMap(({ ids, ...change }) => ids.map((id): SingleChange => ({ ...change, id })));
  const total = singles.length;
  yield* inBatches(caller, total, undo, async (done) => {
    const batch = singles.slice(done, done + maxBatch);
    const fields = await Promise.all(batch.map((each) => fieldsOf(caller, each).catch(asFailure)));
    const calendar = caller.service.calendar(caller.viewer, caller.site);
    const results = await caller.service.together(() =>
      untilTime(batch, (each, at) => changeOne(caller, calendar[each.resource], each, fields[at], change)),
    );
    return Promise.all(results);
  });
}

/** Calls a function for each item until a batch has taken its time. */
function untilTime<T, R>(items: readonly T[], work: (item: T, at: number) => R): R[] {
  const start = performance.now();
  const results: R[] = [];
  for (const [at, item] of items.entries()) {
    if (at > 0 && performance.now() - start > maxBatchMs) break;
    results.push(work(item, at));
  }
  return results;
}

/** Yields the progress of `work`, which handles the records from one on and returns what was not changed of each. */
async function* inBatches(
  { request: { epoch } }: Caller,
  total: number,
  undo: string | undefined,
  work: (done: number) => Promise<(UnchangedRecord | undefined)[]>,
): AsyncGenerator<ChangesProgress> {
  const unchanged: UnchangedRecord[] = [];
  let done = 0;
  yield { done, total, undo };
  let stopped: string | undefined;
  while (done < total && stopped === undefined) {
    try {
      const results = await work(done);
      unchanged.push(...results.filter((each) => each !== undefined));
      done += results.length;
    } catch (error) {
      stopped = asFailure(error).message;
    }
    if (epoch?.aborted) stopped = 'the calendar was reset';
    if (done < total && stopped === undefined) yield { done, total, undo };
    await machine.nextTurn();
  }
  yield { done, total, undo, unchanged, ...(done < total && { stopped }) };
}

/** The fields that a change writes; undefined for a deletion. */
async function fieldsOf({ service, viewer, site }: Caller, { resource, id, fields, shift }: SingleChange): Promise<Input | undefined> {
  if (shift === undefined) return fields;
  const duration = readLength(shift);
  if (!duration) throw new Failure('bad-request', `Invalid duration ${JSON.stringify(shift)}`, `Write it like ${durationForms}.`);
  return { ...fields, ...movedDates(await service.calendar(viewer, site)[resource].get({ id }, { context: 'edit' }), duration) };
}

/** Changes one record within a transaction. Resolves with the failure, if any. */
async function changeOne(
  { service, request }: Caller,
  collection: Collection,
  { resource, id }: SingleChange,
  fields: Input | Failure | undefined,
  change: UndoableChange | undefined,
): Promise<UnchangedRecord | undefined> {
  const before = service.stored(resource, id);
  try {
    if (fields instanceof Failure) throw fields;
    checkEpoch(request);
    const work = fields ? collection.update({ id }, fields) : collection.delete({ id });
    const after = service.stored(resource, id);
    await work;
    if (before) change?.add(before, after);
    return undefined;
  } catch (error) {
    const { code, message, hint, status, data } = asFailure(error);
    return { resource, id, name: before?.name ?? '', code, message, hint, status, data };
  }
}

/** Puts back records in batches and yields the progress. */
const putBack = (call: Call, records: readonly Replaced[]): AsyncGenerator<ChangesProgress> =>
  inBatches(call, records.length, undefined, (done) =>
    call.service.together(() => untilTime(records.slice(done, done + maxBatch), (record) => putBackOne(call, record))),
  );

function putBackOne({ service, viewer }: Call, [before, after]: Replaced): UnchangedRecord | undefined {
  const { resource, id, name } = before;
  const isAllowed = service.may(viewer, 'update', resource, { id });
  if (isAllowed && service.putBack(before, after)) return undefined;
  const message = isAllowed ? 'it was changed since' : 'it may no longer be changed';
  return { resource, id, name, code: 'conflict', message, status: 409 };
}
