import * as z from 'zod';
import { resourceNames } from '../../model/calendar.ts';
import { fixtureForm } from '../../model/formats/fixture.ts';
import { type OperationAnswer, type OperationName, outcomes } from '../../model/operations/control.ts';
import { connectionFaults } from '../../model/operations/faults.ts';
import { roles } from '../../model/viewer.ts';
import { faultInput } from './fault-input.ts';
import { requestMatch } from './match-input.ts';

/** A JSON answer by its schema; an answer that is a text or bytes by its media types, each with the schema of what it holds. */
type Answer<T> = T extends string | Uint8Array | AsyncIterable<unknown> ? Record<string, z.ZodType> : z.ZodType<T>;

const instant = z.iso.datetime().describe('in UTC');
const count = z.int().min(0);
const took = z.number().min(0).describe('milliseconds');
const records = z.record(z.string(), count).describe('how many rows there are, by resource, the trash included');
const undo = z.string().optional().describe('the snapshot of what was there before, where one was kept');
const problem = z.object({ at: z.string(), reason: z.string() });

const clock = z
  .object({ now: instant, frozen: z.boolean(), ahead: z.number().describe('milliseconds ahead of the clock of the system, while it runs') })
  .meta({ id: 'Clock' });

const health = z
  .object({
    version: z.string(),
    url: z.string().nullable().describe('where the API starts'),
    file: z.string().nullable().describe('null for a calendar in memory'),
    seed: z.string().nullable().describe('what it was started with'),
    records,
    uptime: z.number().min(0).describe('seconds'),
    clock,
  })
  .meta({ id: 'Health' });

const done = z
  .object({
    ...(Object.fromEntries(outcomes.map((outcome) => [outcome, count])) as Record<(typeof outcomes)[number], typeof count>),
    dry_run: z.boolean(),
    records: z
      .array(
        z.object({
          action: z.enum(outcomes),
          resource: z.enum(resourceNames),
          id: z.int().optional(),
          name: z.string(),
          reason: z.string().optional().describe('why it was skipped'),
        }),
      )
      .describe('every change, where `list` asked for them'),
    problems: z.array(problem).describe('what was wrong with records that were left out'),
    notes: z.array(problem).describe('what else there is to know'),
    undo,
    took,
  })
  .meta({ id: 'Done' });

const restored = z.object({ restored: z.string().describe('the name of the snapshot'), undo, took }).meta({ id: 'Restored' });

const snapshot = z
  .object({
    name: z.string(),
    taken: instant,
    bytes: count,
    automatic: z.boolean().describe('whether it was kept before a change of many records'),
  })
  .meta({ id: 'Snapshot' });

const fault = z
  .object({
    ...faultInput.shape,
    id: z.int().min(1),
    match: requestMatch,
    hits: count.describe('how many requests it has met'),
    remaining: count.nullable().describe('how many more it will meet; null for any number'),
  })
  .meta({ id: 'Fault' });

const settings = z.object({
  settings: z.array(z.object({ name: z.string(), value: z.string(), about: z.string() }).meta({ id: 'Setting' })),
});

const user = z.object({ id: z.int(), name: z.string(), role: z.enum(roles) }).meta({ id: 'User' });

const file = z.object({
  file: z.string().optional().describe('not there for a calendar in memory'),
  durability: z.string().optional(),
  schema: z.int().describe('the version of the format'),
  pageSize: count,
  pages: count,
  version: count.describe('how many changes there were since it was opened'),
  fileBytes: count,
  logBytes: count,
  checkpoints: count,
  failure: z.string().optional().describe('why changes are refused at present'),
  records,
});

const payload = z
  .object({
    headers: z.record(z.string(), z.string()),
    body: z.string().describe('its first 64 KB, without credentials'),
    bytes: count.describe('of the whole body'),
  })
  .meta({ id: 'Payload' });

const journaled = z
  .object({
    id: z.int().min(1),
    time: instant.describe('when it came, by the clock of the system'),
    now: instant.describe('what counted as now in the calendar'),
    method: z.string(),
    path: z.string(),
    query: z.string(),
    status: z.int().describe('0 where the calendar was not asked'),
    fault: z.enum(connectionFaults).nullable().describe('what went wrong with the connection on purpose'),
    took,
    user: z.string().nullable().describe('the name that its credentials give'),
    request: payload.optional(),
    response: payload.optional(),
  })
  .meta({ id: 'JournaledRequest' });

/** What each operation answers. */
export const answers: { [Name in OperationName]: Answer<OperationAnswer<Name>> } = {
  health,
  ready: health,
  reset: done,
  undo: restored,
  snapshots: z.object({ snapshots: z.array(snapshot) }),
  saveSnapshot: snapshot,
  keepSnapshot: snapshot,
  restoreSnapshot: restored,
  snapshotFile: { 'application/vnd.sqlite3': z.string() },
  deleteSnapshot: snapshot,
  seed: done,
  generate: done,
  import: done,
  shift: done,
  export: {
    'application/json': fixtureForm(z).meta({ id: 'Fixture' }),
    'application/x-ndjson': z.string(),
    'text/csv': z.string(),
    'text/calendar': z.string(),
  },
  requests: z.object({ requests: z.array(journaled), total: count.describe('how many there were in all') }),
  clearRequests: z.object({ deleted: count }),
  countRequests: z.object({ count }),
  verifyRequests: z.object({ count }),
  events: { 'text/event-stream': z.string() },
  pull: done,
  push: done,
  clock,
  setClock: clock,
  advanceClock: clock,
  freezeClock: clock,
  resumeClock: clock,
  resetClock: clock,
  faults: z.object({ faults: z.array(fault) }),
  addFault: fault,
  fault,
  removeFault: fault,
  clearFaults: z.object({ faults: z.array(fault) }),
  settings,
  changeSettings: settings,
  info: file,
  checkpoint: z.null(),
  backup: z.null(),
  users: z.object({ users: z.array(user) }),
  addUser: user,
  changeUser: user,
  removeUser: z.null(),
};
