import { dataFailure } from '../model/error.ts';
import { isSeedFile } from '../model/operations/data.ts';
import type { Store } from '../store/calendar.ts';
import { type ApplyMode, applyFixture } from './ingest/fixture.ts';
import { type FixtureDocument, fixtureOf } from './seeds.ts';
import { type OperationOptions, Summary } from './summary.ts';
import { inTransaction } from './transaction.ts';

/**
 * Creates the records of a seed, all or none of them; with `keepsSettings`, without its settings and users. Those of another file than a fixture are matched with existing ones as by an
 * import. Throws a failure that lists all problems.
 */
export async function seed(
  store: Store,
  document: FixtureDocument,
  mode: ApplyMode,
  options: OperationOptions = {},
  keepsSettings = false,
): Promise<Summary> {
  const { name } = document;
  if (isSeedFile(document.document)) {
    const [{ importData }, { sourceOfContent }] = await Promise.all([import('./ingest/import.ts'), import('./ingest/source.ts')]);
    return importData(store, sourceOfContent(document.document), { ...options, seed: { replaces: mode === 'replace', keepsSettings } });
  }
  const { fixture: whole, problems } = await fixtureOf(document, store.settings.fields);
  const fixture = keepsSettings ? { ...whole, settings: {}, users: [] } : whole;
  const repeats = fixture.records.some(({ input }) => input.repeat !== undefined);
  const repeat = repeats ? (await import('./ingest/repeat.ts')).repeatEvent : undefined;
  const summary = new Summary(options, fixture.records.length);
  await inTransaction(store, options.dryRun ?? false, (local) => {
    applyFixture(local, fixture, mode, summary, repeat);
    problems.push(...summary.problems);
    if (problems.length) throw dataFailure(name, problems);
    store.users.checkOwners();
  });
  return summary;
}
