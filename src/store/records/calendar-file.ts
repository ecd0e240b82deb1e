import type { FileKind } from '../file/file-kind.ts';
import { migrate, migrations } from './migrations.ts';
import { complete } from './schema.ts';
import { sqlFunctions } from './where.ts';

/** A file that holds a calendar. */
export const calendarFile: FileKind = {
  noun: 'calendar',
  /** The letters `cal1`. */
  applicationId: 0x63616c31,
  schema: migrations.length,
  migrate,
  complete,
  functions: sqlFunctions,
  hints: {
    locked: 'Wait until it has finished, raise --timeout, or stop that process.',
    damaged: 'See what is intact with: calendar db check. Restore a backup with: calendar db restore FILE.',
    restore: 'Restore a backup with: calendar db restore FILE.',
    repair: 'Restore a backup, or keep the changes before the damage with: calendar db repair.',
    replaced: 'What is acknowledged is in memory and in its log. Put the file back, or copy this state away with: calendar db backup FILE.',
    removed: 'Put the file or its folder back, or stop the server and restore a backup.',
  },
};
