import { calendarFile } from './records/schema.ts';
import { openInMemory } from './sqlite/memory-database.ts';

let emptyBytes: Promise<Uint8Array> | undefined;

/**
 * An empty calendar as the bytes of a SQLite file, which must not be modified. Created once per process; the bundle contains it prebuilt (see
 * build.ts), because creating the tables takes longer than the rest of opening a calendar.
 */
export function emptyCalendar(): Promise<Uint8Array> {
  emptyBytes ??= openInMemory(calendarFile).then(async (db) => {
    const bytes = db.bytes();
    await db.close();
    return bytes;
  });
  return emptyBytes;
}
