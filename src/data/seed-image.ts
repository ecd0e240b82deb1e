import type { Input, ResourceName } from '../model/calendar.ts';
import type { SeedName } from '../model/operations/formats.ts';
import { openCalendar } from '../store/calendar.ts';
import { datingFields } from '../store/records/write-post.ts';
import type { StoreImage } from '../store/snapshots.ts';
import { seed } from './seed.ts';
import { fixtureOf, seedNamed } from './seeds.ts';

/** The records of a built-in seed, and what is set when a calendar gets them. */
export interface SeedImage {
  bytes: StoreImage;
  settings: Record<string, string>;
  /** Records with dates and UIDs in the order of their creation: resource, ID, and the part of the input that the dates depend on. */
  dated: [name: ResourceName, id: number, input: Input][];
}

const images = new Map<SeedName, Promise<SeedImage>>();

/** A built-in seed as an image, which must not be modified. Created once per process; the bundle contains it prebuilt (see build.ts). */
export function seedImage(name: SeedName): Promise<SeedImage> {
  const image = images.get(name) ?? createImage(name);
  images.set(name, image);
  return image;
}

async function createImage(name: SeedName): Promise<SeedImage> {
  const document = await seedNamed(name);
  const { settings, records } = (await fixtureOf(document)).fixture;
  const store = await openCalendar(':memory:', { mode: 'write', now: () => 0, newUid: () => '' });
  try {
    await seed(store, document, 'append', {}, true);
    const idsOf = (name: ResourceName) => store.db.all<{ id: number }>(`select id from ${name} order by id`).map(({ id }) => id);
    const dated = Object.values(store.resources)
      .filter(({ family }) => family === 'post')
      .flatMap(({ name }) => {
        const ids = idsOf(name);
        const inputs = records.filter((record) => record.name === name).map(({ input }) => input);
        return inputs.map((input, at): SeedImage['dated'][number] => [name, ids[at]!, datingPart(input)]);
      });
    return { bytes: store.image(), settings, dated: dated.sort(([, a], [, b]) => a - b) };
  } finally {
    await store.close();
  }
}

const datingPart = (input: Input): Input => Object.fromEntries(Object.entries(input).filter(([field]) => datingFields.includes(field)));
