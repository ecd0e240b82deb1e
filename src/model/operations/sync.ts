import type { FailureCode } from '../error.ts';
import { namedSchema, operation, type ValueOf } from './operation.ts';
import { done, dryRun, resourceList } from './summary.ts';

const pushInput = namedSchema('PushInput', (z) =>
  z.strictObject({
    ...dryRun(z),
    root: z.url().describe('Address that the routes of the other calendar start with'),
    authorization: z.string().optional().describe('Value of the Authorization header'),
    headers: z.record(z.string(), z.string()).optional().describe('Further headers of every request'),
    only: resourceList(z).optional().describe('Resources to copy; all by default'),
    delete: z.boolean().optional().describe('Delete records there that do not exist here'),
  }),
);
export type PushInput = ValueOf<typeof pushInput>;

const pullInput = namedSchema('PullInput', (z) =>
  pushInput(z).omit({ delete: true }).extend({ since: z.string().optional(), restart: z.boolean().optional() }),
);
export type PullInput = ValueOf<typeof pullInput>;

/** Failures of the other server, or of reaching it. */
const remoteFailures: readonly FailureCode[] = [
  'unreachable',
  'not-a-calendar',
  'server-failure',
  'busy',
  'not-found',
  'conflict',
  'rest_forbidden',
];

export const sync = {
  pull: operation({
    id: 'pull',
    method: 'POST',
    path: '/pull',
    access: 'trusted',
    changes: true,
    serialized: true,
    about: 'Copy a calendar from another server',
    input: pullInput,
    output: done,
    failures: [...remoteFailures, 'invalid-data'],
  }),
  push: operation({
    id: 'push',
    method: 'POST',
    path: '/push',
    access: 'trusted',
    changes: true,
    about: 'Copy this calendar to another server',
    input: pushInput,
    output: done,
    failures: remoteFailures,
  }),
};
