import type { FileKind } from '../file/file-kind.ts';
import { migrate, migrations } from './migrations.ts';
import { complete } from './schema.ts';
import { sqlFunctions } from './where.ts';

export const calendarFile: FileKind = {
  noun: 'calendar',
  /** `cal1` in ASCII. */
  applicationId: 0x63616c31,
  schema: migrations.length,
  migrate,
  complete,
  functions: sqlFunctions,
  hints: {
    locked: 'Wait until it finishes, increase --timeout, or stop that process.',
    damaged: 'Run `calendar db check` to see what is intact, or restore a backup with `calendar db restore FILE`.',
    restore: 'Restore a backup with `calendar db restore FILE`.',
    repair: 'Restore a backup, or keep the changes before the damage with `calendar db repair`.',
    replaced:
      'Acknowledged changes are in memory and in the log. Put the file back, or save the current state with `calendar db backup FILE`.',
    removed: 'Put the file or its folder back, or stop the server and restore a backup.',
  },
};
