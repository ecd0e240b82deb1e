import * as z from 'zod';
import { type ResourceName, resourceNames } from '../../model/calendar.ts';
import { dataFormats, keepable, type OperationInput, type OperationName } from '../../model/control.ts';
import { type Fault, invalidParams } from '../../model/error.ts';
import { messageTypes } from '../../model/messages.ts';
import { isZone } from '../../model/time/zone.ts';
import { roles } from '../../model/viewer.ts';
import { faultId, faultInput } from './fault-input.ts';

import { journalMatch } from './match-input.ts';

const nothing = z.strictObject({});
const named = z.strictObject({ name: z.string() });
const count = z.int().min(0).max(9_999_999).optional();
const text = z.string().optional();
const whole = z.int().min(0).optional();
/** The same in a query. */
const number = (least: number) => z.coerce.number<string | number>().int().min(least).optional();
const flag = z.boolean().optional();
const resources = z.array(z.enum(resourceNames));
/** What a query gives as a text with commas. */
const listed = <T extends z.ZodType>(list: T) =>
  z.preprocess((value) => (typeof value === 'string' ? value.split(',') : value), list.optional());
const dry = { dry_run: flag, list: flag };

/** What each operation takes. */
export const inputs: { [Name in OperationName]: z.ZodType<NonNullable<OperationInput<Name>> | Record<string, never>> } = {
  health: nothing,
  ready: nothing,
  reset: z.strictObject({
    ...dry,
    to: text,
    generated: flag,
    keep: z.array(z.enum(keepable)).optional(),
  }),
  undo: nothing,
  snapshots: nothing,
  saveSnapshot: z.strictObject({ name: z.string(), replace: flag }),
  keepSnapshot: z.strictObject({ what: z.string().regex(/^[a-z]{1,20}$/, 'takes one word in small letters') }),
  snapshotFile: named,
  restoreSnapshot: named,
  deleteSnapshot: named,
  seed: z.strictObject({
    ...dry,
    seed: z.union([z.string(), z.record(z.string(), z.unknown())]),
    name: text,
    append: flag,
    replace: flag,
    upsert: flag,
  }),
  generate: z.strictObject({
    ...dry,
    ...(Object.fromEntries(resourceNames.map((name) => [name, count])) as Record<ResourceName, typeof count>),
    rng_seed: text,
    from: text,
    until: text,
    zones: z.array(z.string().refine(isZone, 'must be time zones')).optional(),
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
    delimiter: z.string().length(1).optional(),
    encoding: text,
    tz: text,
    from: text,
    until: text,
    lenient: flag,
  }),
  shift: z.strictObject({ ...dry, by: z.string(), generated: flag }),
  export: z.strictObject({ format: z.enum(dataFormats).optional(), only: listed(resources), fields: listed(z.array(z.string())) }),
  pull: z.strictObject({ ...dry, root: z.url(), authorization: text, only: resources.optional(), since: text, restart: flag }),
  push: z.strictObject({ ...dry, root: z.url(), authorization: text, only: resources.optional(), delete: flag }),
  clock: nothing,
  setClock: z.strictObject({ now: z.string() }),
  advanceClock: z.strictObject({ by: text, to: text }),
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
  backup: z.strictObject({ file: z.string().min(1) }),
  requests: z.strictObject({
    method: listed(z.array(z.string())),
    path: text,
    status: listed(z.array(z.string())),
    user: text,
    after: number(0),
    limit: number(1),
    brief: z.stringbool().or(z.boolean()).optional(),
  }),
  clearRequests: nothing,
  countRequests: z.strictObject({ match: journalMatch.optional() }),
  verifyRequests: z.strictObject({ match: journalMatch.optional(), exactly: whole, atLeast: whole, atMost: whole, never: flag }),
  events: z.strictObject({ after: text, types: listed(z.array(z.enum(messageTypes))) }),
  users: nothing,
  addUser: z.strictObject({ id: z.int().positive().optional(), name: z.string(), role: z.enum(roles), password: z.string() }),
  changeUser: z.strictObject({ name: z.string(), role: z.enum(roles).optional(), password: text }),
  removeUser: named,
};

/** An input, checked. Fails with `rest_invalid_param`, naming all that is wrong; what is not known is wrong too. */
export function checkedInput<Name extends OperationName>(name: Name, input: unknown): OperationInput<Name> {
  const read = inputs[name].safeParse(input);
  if (read.success) return read.data as OperationInput<Name>;
  const faults: Record<string, Fault> = {};
  for (const issue of read.error.issues) {
    if (issue.code === 'unrecognized_keys')
      for (const key of issue.keys) faults[[...issue.path, key].join('.')] = { reason: 'is not known here' };
    else faults[issue.path.join('.') || 'body'] = { reason: issue.message };
  }
  throw invalidParams(faults);
}
