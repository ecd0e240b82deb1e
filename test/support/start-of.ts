import { copyFileSync } from 'node:fs';
import type { StoreImage } from '../../src/store/snapshots.ts';
import type { Served } from './served.ts';

/** Returns a function that makes a calendar the first time it is called, and restores that state later. `place` is the server of the calendar or the path of its file. */
export function startOf(place: () => Served | string, make: () => Promise<unknown>): () => Promise<void> {
  let start: StoreImage | true | undefined;
  return async () => {
    const calendar = place();
    if (start === undefined) {
      await make();
      start = typeof calendar === 'string' ? true : calendar.store.image();
      if (typeof calendar === 'string') copyFileSync(calendar, `${calendar}.start`);
    } else if (typeof calendar === 'string') copyFileSync(`${calendar}.start`, calendar);
    else await calendar.store.restore(start as StoreImage);
  };
}
