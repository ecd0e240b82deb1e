import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import '../bin/machine/here.ts';
import { generate } from '../src/data/generate.ts';
import { citiesIn } from '../src/model/generate/vocabulary.ts';
import { openCalendar } from '../src/store/calendar.ts';

/** The current time of all servers in the benchmark. */
export const now = '2027-03-01T10:00:00Z';

/** Returns a file with this number of generated events, creating it if necessary. */
export async function fileWith(folder: string, events: number): Promise<string> {
  const file = `${folder}/${events}.db`;
  if (existsSync(file)) return file;
  mkdirSync(folder, { recursive: true });
  for (const end of ['', '-log', '-owner']) rmSync(`${file}.part${end}`, { force: true });
  const store = await openCalendar(`${file}.part`, { mode: 'write', now: () => Date.parse(now), durability: 'none' });
  const venues = Math.max(10, Math.round(events / 50));
  const organizers = Math.max(10, Math.round(events / 80));
  await generate(store, {
    counts: { events, venues, organizers, categories: 24, tags: 60 },
    rngSeed: `bench ${events}`,
    from: '2026-03-01',
    until: '2028-12-31',
    zones: [...new Set(citiesIn([]).map(({ zone }) => zone))],
  });
  await store.close();
  renameSync(`${file}.part`, file);
  return file;
}
