import { namedSchema, operation, schema } from './operation.ts';
import { count, took, undoSnapshot } from './summary.ts';

const snapshotInfo = namedSchema('SnapshotInfo', 'A saved state of a calendar', (z) =>
  z
    .object({
      name: z.string().describe('Name of the snapshot'),
      taken: z.iso.datetime().describe('Time when it was saved, in UTC'),
      bytes: count(z).describe('Size in bytes'),
      automatic: z.boolean().describe('True if it was saved before a change of many records; the oldest of these are deleted'),
    })
    .meta({ id: 'Snapshot' }),
);

export const restored = namedSchema(
  'Restored',
  'The restored snapshot, and the one of the state before; a calendar in memory saves none',
  (z) => z.object({ restored: z.string().describe('Name of the snapshot'), undo: undoSnapshot(z), took: took(z) }).meta({ id: 'Restored' }),
);

const snapshotList = schema((z) => z.object({ snapshots: z.array(snapshotInfo(z)).describe('The snapshots, the oldest first') }));
const snapshotName = schema((z) => z.string().describe('Name of the snapshot'));
const nameInput = schema((z) => z.strictObject({ name: snapshotName(z) }));

export const snapshots = {
  list: operation({
    id: 'snapshots',
    method: 'GET',
    path: '/snapshots',
    access: 'everyone',
    about: 'List the snapshots',
    example: 'const snapshots = await calendar.snapshots.list();',
    unwrap: 'snapshots',
    output: snapshotList,
  }),
  save: operation({
    id: 'saveSnapshot',
    method: 'PUT',
    path: '/snapshots/{name}',
    access: 'full',
    ofServer: true,
    changes: true,
    serialized: true,
    about: 'Save the current state as a snapshot',
    text: 'Save the current state. Throws if the name is taken, unless `replace` is set',
    example: "await calendar.snapshots.save('before');",
    arg: 'name',
    input: namedSchema('SaveInput', 'A snapshot to save', (z) =>
      z.strictObject({ name: snapshotName(z), replace: z.boolean().optional().describe('Replace a snapshot with the same name') }),
    ),
    output: snapshotInfo,
  }),
  keep: operation({
    id: 'keepSnapshot',
    method: 'POST',
    path: '/snapshots',
    access: 'full',
    ofServer: true,
    changes: true,
    serialized: true,
    about: 'Save the current state for the next undo',
    example: "await calendar.snapshots.keep({ what: 'import' });",
    input: namedSchema('KeepInput', 'The reason of a snapshot for the next undo', (z) =>
      z.strictObject({
        what: z
          .string()
          .regex(/^[a-z]{1,20}$/, 'must be one word in lowercase letters')
          .optional()
          .describe('Word to use in the name of the snapshot'),
      }),
    ),
    output: snapshotInfo,
  }),
  settle: operation({
    id: 'settleSnapshot',
    method: 'POST',
    path: '/snapshots/{name}/settle',
    access: 'full',
    ofServer: true,
    changes: true,
    serialized: true,
    about: 'Note the state after the change that a snapshot was kept for',
    text: 'Note the state after the change that a snapshot was kept for, so that an undo can tell later changes',
    example: 'await calendar.snapshots.settle(kept.name);',
    arg: 'name',
    input: nameInput,
    output: snapshotInfo,
  }),
  file: operation<'snapshotFile', { name: string }, Uint8Array>({
    id: 'snapshotFile',
    method: 'GET',
    path: '/snapshots/{name}',
    access: 'full',
    about: 'Get a snapshot as a SQLite file',
    input: nameInput,
    output: { form: 'bytes', types: { 'application/vnd.sqlite3': (z) => z.string() } },
  }),
  restore: operation({
    id: 'restoreSnapshot',
    method: 'POST',
    path: '/snapshots/{name}/restore',
    access: 'full',
    changes: true,
    serialized: true,
    about: 'Restore a snapshot',
    example: "await calendar.snapshots.restore('before');",
    arg: 'name',
    input: nameInput,
    output: restored,
  }),
  delete: operation({
    id: 'deleteSnapshot',
    method: 'DELETE',
    path: '/snapshots/{name}',
    access: 'full',
    ofServer: true,
    changes: true,
    serialized: true,
    about: 'Delete a snapshot',
    example: "await calendar.snapshots.delete('before');",
    arg: 'name',
    input: nameInput,
    output: snapshotInfo,
  }),
};
