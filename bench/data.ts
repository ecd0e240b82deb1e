import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import type { Entry } from '../src/model/calendar.ts';
import {
  generatedCategory,
  generatedEvent,
  generatedOrganizer,
  generatedTag,
  generatedVenue,
  type Setting,
} from '../src/model/generate/generate.ts';
import { oneOf, randomFrom } from '../src/model/generate/random.ts';
import { citiesIn } from '../src/model/generate/vocabulary.ts';
import { type LocalCalendar, openCalendar } from '../src/store/calendar.ts';

/** The moment that every server of the benchmark takes for now. */
export const now = '2027-03-01T10:00:00Z';

/** The file with so many generated events, made when it is missing; the same for the same number. */
export async function fileWith(folder: string, events: number): Promise<string> {
  const file = `${folder}/${events}.db`;
  if (existsSync(file)) return file;
  mkdirSync(folder, { recursive: true });
  for (const end of ['', '-log', '-owner']) rmSync(`${file}.part${end}`, { force: true });
  const store = await openCalendar(`${file}.part`, { mode: 'write', now: () => Date.parse(now), durability: 'none' });
  const random = randomFrom(`bench ${events}`);
  const idsOf = <T>(count: number, make: (number: number) => T): T[] => Array.from({ length: count }, (_, number) => make(number));
  const cities = citiesIn([]);
  let setting: Setting | undefined;
  const copy = { copying: true };
  await store.change(
    (desk) => {
      const made = <T extends Entry>(entry: unknown) => Number((entry as T).id);
      const venues = idsOf(Math.max(10, Math.round(events / 50)), (number) => {
        const city = oneOf(random, cities);
        return { id: made(desk.venues.create(generatedVenue(random, number, city))), zone: city.zone };
      });
      const organizers = idsOf(Math.max(10, Math.round(events / 80)), (number) =>
        made(desk.organizers.create(generatedOrganizer(random, number))),
      );
      const categories: Setting['categories'] = [];
      for (let number = 0; number < 24; number += 1) {
        const { input, parent } = generatedCategory(number);
        const above = parent === undefined ? undefined : categories[parent]?.id;
        categories.push({ id: made(desk.categories.create({ ...input, ...(above ? { parent: above } : {}) })), name: String(input.name) });
      }
      const tags = idsOf(60, (number) => made(desk.tags.create(generatedTag(number))));
      const zones = [...new Set(cities.map(({ zone }) => zone))];
      setting = { venues, organizers, categories, tags, zones, from: '2026-03-01 00:00:00', until: '2028-12-31 00:00:00' };
    },
    undefined,
    copy,
  );
  for (let made = 0; made < events; made += 5000)
    await store.change(
      (desk: LocalCalendar) => {
        for (let i = made; i < Math.min(made + 5000, events); i += 1) desk.events.create(generatedEvent(random, setting!));
      },
      undefined,
      copy,
    );
  await store.close();
  renameSync(`${file}.part`, file);
  return file;
}
