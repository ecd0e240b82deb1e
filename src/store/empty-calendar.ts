import { openDatabase } from './file/database.ts';
import { calendarFile } from './records/calendar-file.ts';

let made: Promise<Uint8Array> | undefined;

/**
 * A calendar in which nothing ever was, as the bytes of a SQLite file, which nobody changes: made once for the process. The bundle has those that were made when it was built (see
 * build.ts), for making tables takes longer than all else that opens a calendar.
 */
export function emptyCalendar(): Promise<Uint8Array> {
  made ??= openDatabase(':memory:', { mode: 'write', kind: calendarFile }).then(async (db) => {
    const bytes = db.bytes();
    await db.close();
    return bytes;
  });
  return made;
}
