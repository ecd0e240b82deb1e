import { isSeed } from '../model/operations/formats.ts';
import type { LocalCalendar, Store } from '../store/calendar.ts';
import { emptyCalendar } from '../store/empty-calendar.ts';
import { dateRecord } from '../store/records/write-post.ts';
import { type SeedImage, seedImage } from './seed-image.ts';
import { type OperationOptions, Summary } from './summary.ts';
import { inTransaction } from './transaction.ts';
import { recordsIn } from './world/reset.ts';

type SettingTexts = Readonly<Record<string, string | number>>;

/**
 * Creates the records of a built-in seed, a fixture or a file, whose settings `settings` override. An unused calendar in memory gets a built-in seed as an
 * image, of which only dates and UIDs are written: that takes half of the time. `name` is that of the fixture, for messages.
 */
export async function fill(
  store: Store,
  from: string | object,
  settings: SettingTexts = {},
  { name, ...options }: OperationOptions & { name?: string } = {},
): Promise<Summary> {
  if (typeof from === 'string' && isSeed(from) && (await isUnused(store))) return fillFrom(await seedImage(from), store, settings, options);
  const [{ seed }, { seedOf }] = await Promise.all([import('./seed.ts'), import('./seeds.ts')]);
  await putSettings(store, settings);
  const summary = await seed(store, await seedOf(from, name), 'append', options);
  await putSettings(store, settings);
  return summary;
}

/** True for a calendar in memory without records, users, settings and used IDs. */
const isUnused = async (store: Store): Promise<boolean> => store.db.file === undefined && store.image() === (await emptyCalendar());

/** The same changes as those of {@link fill}, in the same order. */
async function fillFrom(image: SeedImage, store: Store, settings: SettingTexts, options: OperationOptions): Promise<Summary> {
  await store.restore(image.bytes);
  await inTransaction(store, false, (local) => {
    setAll(local, settings);
    for (const [name, value] of Object.entries(image.settings)) local.settings.import(name, value);
    const { context } = local.reload();
    for (const [name, id, input] of image.dated) dateRecord(context, name, id, input);
    setAll(local, settings);
  });
  const summary = new Summary(options);
  summary.counts.created = Object.values(recordsIn(store)).reduce((sum, count) => sum + count, 0);
  return summary;
}

/** Stores settings. */
export async function putSettings(store: Store, settings: SettingTexts): Promise<void> {
  if (Object.keys(settings).length) await store.change((local) => setAll(local, settings));
}

function setAll(local: LocalCalendar, settings: SettingTexts): void {
  for (const [name, value] of Object.entries(settings)) local.settings.set(name, value);
}
