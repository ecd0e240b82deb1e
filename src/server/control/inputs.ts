import * as z from 'zod';
import { type ResourceName, resourceNames } from '../../model/calendar.ts';
import { type Fault, invalidParams } from '../../model/error.ts';
import { formProblems } from '../../model/formats/issues.ts';
import { dataFormats, keepable, type OperationInput, type OperationName } from '../../model/operations/control.ts';
import { messageTypes } from '../../model/operations/messages.ts';
import { isZone } from '../../model/time/zone.ts';
import { roles } from '../../model/viewer.ts';
import { faultId, faultInput } from './fault-input.ts';
import { journalMatch } from './match-input.ts';

const nothing = z.strictObject({});
const snapshotName = z.string().describe('the name of the snapshot');
const userName = z.string().describe('the name of the user');
const named = z.strictObject({ name: snapshotName });
const count = z.int().min(0).max(9_999_999).optional();
const text = z.string().optional();
const whole = z.int().min(0).optional();
/** The same in a query. */
const number = (least: number) => z.coerce.number<string | number>().int().min(least).optional();
const flag = z.boolean().optional();
const match = journalMatch.optional().describe('which requests; all unless told');
const resources = z.array(z.enum(resourceNames));
/** What a query gives as a text with commas. */
const listed = <T extends z.ZodType>(list: T) =>
  z.preprocess((value) => (typeof value === 'string' ? value.split(',') : value), list.optional());
const dry = {
  dry_run: flag.describe('only says what would be done'),
  list: flag.describe('names every record, not only their number'),
};

/** What each operation takes. */
export const inputs: { [Name in OperationName]: z.ZodType<NonNullable<OperationInput<Name>> | Record<string, never>> } = {
  health: nothing,
  ready: nothing,
  reset: z.strictObject({
    ...dry,
    to: text.describe('start (unless told), empty, or the name of a snapshot'),
    generated: flag.describe('takes away only what generate made'),
    keep: z.array(z.enum(keepable)).optional().describe('what stays as it is'),
  }),
  undo: nothing,
  snapshots: nothing,
  saveSnapshot: z.strictObject({ name: snapshotName, replace: flag.describe('a snapshot of that name gives way') }),
  keepSnapshot: z.strictObject({ what: z.string().regex(/^[a-z]{1,20}$/, 'takes one word in small letters') }),
  snapshotFile: named,
  restoreSnapshot: named,
  deleteSnapshot: named,
  seed: z.strictObject({
    ...dry,
    seed: z.union([z.string(), z.record(z.string(), z.unknown())]).describe('the name of a seed, or a fixture'),
    name: text.describe('what messages call the fixture'),
    append: flag.describe('adds to the records that are there'),
    replace: flag.describe('takes every record away first'),
    upsert: flag.describe('brings records of the same slugs up to date, adds the others'),
  }),
  generate: z.strictObject({
    ...dry,
    ...(Object.fromEntries(resourceNames.map((name) => [name, count])) as Record<ResourceName, typeof count>),
    rng_seed: text.describe('the same text makes the same records'),
    from: text.describe('no event starts before this day'),
    until: text.describe('no event starts after this day'),
    zones: z.array(z.string().refine(isZone, 'must be a time zone, like Europe/Paris')).optional().describe('the time zones of events'),
  }),
  import: z.strictObject({
    ...dry,
    name: text,
    text,
    base64: z.base64().optional(),
    file: text,
    format: z.enum(dataFormats).optional(),
    only: resources.optional(),
    map: z.record(z.string(), z.string()).optional(),
    delimiter: z
      .string()
      .refine(({ length }) => length === 1, 'must be one character')
      .optional(),
    encoding: text,
    tz: text,
    from: text,
    until: text,
    lenient: flag,
  }),
  shift: z.strictObject({
    ...dry,
    by: z.string().describe('how far, in ISO 8601: P7D, -P1M'),
    generated: flag.describe('only what generate made'),
  }),
  export: z.strictObject({
    format: z.enum(dataFormats).optional().describe('json unless told'),
    only: listed(resources).describe('of which resources; of all unless told'),
    fields: listed(z.array(z.string())).describe('which columns a csv has'),
  }),
  pull: z.strictObject({ ...dry, root: z.url(), authorization: text, only: resources.optional(), since: text, restart: flag }),
  push: z.strictObject({ ...dry, root: z.url(), authorization: text, only: resources.optional(), delete: flag }),
  clock: nothing,
  setClock: z.strictObject({ now: z.string().describe('the instant, like 2027-03-01T09:00:00Z') }),
  advanceClock: z.strictObject({ by: text.describe('how far, in ISO 8601: P1DT2H'), to: text.describe('until when, in place of how far') }),
  freezeClock: nothing,
  resumeClock: nothing,
  resetClock: nothing,
  faults: nothing,
  addFault: faultInput,
  fault: faultId,
  removeFault: faultId,
  clearFaults: nothing,
  settings: nothing,
  changeSettings: z.record(z.string(), z.string()),
  info: nothing,
  checkpoint: nothing,
  backup: z.strictObject({ file: z.string().min(1).describe('the path of the copy, on the machine of the server') }),
  requests: z.strictObject({
    method: listed(z.array(z.string())).describe('of these methods'),
    path: text.describe('of paths like this one: /events/*'),
    status: listed(z.array(z.string())).describe('answered with one of these: 404, 4xx'),
    user: text.describe('of this user'),
    after: number(0).describe('later than the request with this ID'),
    limit: number(1).describe('as many at the most: the last, or after an ID the first'),
    brief: z.stringbool().or(z.boolean()).optional().describe('without headers and bodies'),
  }),
  clearRequests: nothing,
  countRequests: z.strictObject({ match }),
  verifyRequests: z.strictObject({
    match,
    exactly: whole.describe('as many'),
    atLeast: whole.describe('as many or more; 1 when nothing is said'),
    atMost: whole.describe('as many or fewer'),
    never: flag.describe('none'),
  }),
  events: z.strictObject({
    after: text.describe('what happened since the message with this ID, then what happens'),
    types: listed(z.array(z.enum(messageTypes))).describe('only these'),
  }),
  users: nothing,
  addUser: z.strictObject({ id: z.int().positive().optional(), name: userName, role: z.enum(roles), password: z.string() }),
  changeUser: z.strictObject({ name: userName, role: z.enum(roles).optional(), password: text }),
  removeUser: z.strictObject({ name: userName }),
};

/** An input, checked. Fails with `rest_invalid_param`, naming all that is wrong; what is not known is wrong too. */
export function checkedInput<Name extends OperationName>(name: Name, input: unknown): OperationInput<Name> {
  const form = inputs[name];
  const read = form.safeParse(input);
  if (read.success) return read.data as OperationInput<Name>;
  const problems = formProblems(form, input, (path) => (path.length === 0 && form instanceof z.ZodObject ? Object.keys(form.shape) : []));
  throw invalidParams(Object.fromEntries(problems.map(({ at, reason }): [string, Fault] => [at, { reason }])));
}
