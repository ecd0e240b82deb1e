import { type Command, Option } from 'commander';
import { spoolOf } from './data/spool.ts';
import { taken } from './data/taking.ts';
import { addReading, type ReadingOptions, readingFor } from './import.ts';
import type { Session, Shell } from './shell.ts';
import { clockOf } from './terminal.ts';

/** `calendar validate`: everything that is wrong with a file, found out on a calendar in memory. */
export function build(command: Command, shell: Shell): void {
  addReading(command)
    .addOption(new Option('--json', 'as JSON'))
    .action(shell.action((session, [name], options) => validate(session, String(name), options as ReadingOptions)));
}

async function validate(session: Session, name: string, options: ReadingOptions): Promise<number> {
  const { terminal, globals } = session;
  const spool = await spoolOf(name, terminal, { timeout: (globals.timeout ?? 30) * 1000 });
  const { openCalendar } = await import('../store/open.ts');
  const store = await openCalendar(':memory:', { mode: 'write', now: clockOf(terminal, globals.now) });
  try {
    const tally = await taken(store, spool, session, { ...options, ...readingFor(store, options) });
    if (options.json) await session.print(`${JSON.stringify({ valid: true, records: tally.total })}\n`);
    else await session.tell(`calendar: ${spool.name} is in order: ${tally.total} records`);
    return 0;
  } finally {
    await spool.end();
    await store.close();
  }
}
