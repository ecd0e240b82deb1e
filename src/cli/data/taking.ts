import type { Problem } from '../../model/problem.ts';
import type { Desk, Store } from '../../store/open.ts';
import { progressOf } from '../progress.ts';
import { isEmpty } from '../seed.ts';
import type { Session } from '../shell.ts';
import { formatOfData } from './format.ts';
import type { Import, ImportOptions } from './intake.ts';
import type { DataFormat } from './out.ts';
import type { Spool } from './spool.ts';
import { Tally } from './tally.ts';
import { problemsOf, refuse, together } from './transaction.ts';

const takers: Record<DataFormat, () => Promise<(work: Import) => void>> = {
  json: async () => (await import('./intake-json.ts')).takeDocument,
  ndjson: async () => (await import('./intake-lines.ts')).takeLines,
  csv: async () => (await import('./intake-csv.ts')).takeTable,
  ics: async () => (await import('./intake-ics.ts')).takeCalendar,
};

/** Undoes the transaction; the problems are known. */
class Wrong extends Error {}

/** Takes data into a store, all of it or nothing; a lenient import leaves out what is wrong, and says so. */
export async function taken(
  store: Store,
  spool: Spool,
  session: Session,
  options: ImportOptions & { format?: DataFormat; dryRun?: boolean; json?: boolean; lenient?: boolean },
): Promise<Tally> {
  const format = options.format ?? formatOfData(spool);
  const take = await takers[format]();
  const tally = new Tally(Boolean(options.json));
  const problems: Problem[] = [];
  const progress = progressOf(session.terminal, 'importing');
  const work = { spool, tally, problems, options, done: progress.at, empty: isEmpty(store), zone: store.settings.get('timezone') };
  try {
    await together(store, Boolean(options.dryRun), (desk: Desk) => {
      try {
        take({ ...work, desk });
      } catch (error) {
        // A file that cannot be read on is refused whole, however lenient.
        problems.push(...problemsOf(error, spool.name));
        throw new Wrong();
      }
      if (problems.length && !options.lenient) throw new Wrong();
    });
  } catch (error) {
    progress.end();
    if (!(error instanceof Wrong)) throw error;
    await refuse(session, spool.name, problems, Boolean(options.json), hintFor(problems, options));
  }
  progress.end();
  for (const { at, reason } of problems) {
    tally.add('skipped', options.only?.[0] ?? 'events', at);
    if (!options.json) await session.tell(`${at}: ${reason}`);
  }
  return tally;
}

const hintFor = (problems: readonly Problem[], options: { lenient?: boolean }): string | undefined =>
  !options.lenient && problems.length > 1 ? 'With --lenient what is wrong is left out and the rest taken.' : undefined;
