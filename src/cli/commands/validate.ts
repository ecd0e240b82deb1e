import type { Command } from 'commander';
import { validateData } from '../../data/ingest/import.ts';
import { openSource } from '../../data/ingest/source.ts';
import { sourceContext } from '../connect/operate.ts';
import { addReading, type ReadingOptions, readingOf } from '../import-options.ts';
import { printProblems, runOperation } from '../print/summary.ts';
import type { Runner, Session } from '../session.ts';
import { clockOf } from '../terminal/terminal.ts';

/** `calendar validate`: checks a file by importing it into a calendar in memory. */
export function build(command: Command, runner: Runner): void {
  addReading(command)
    .option('--json', 'Output JSON')
    .action(runner.action((session, [name], options) => validateCommand(session, String(name), options as ReadingOptions)));
}

async function validateCommand(session: Session, name: string, options: ReadingOptions): Promise<undefined> {
  const source = await openSource(name, sourceContext(session));
  try {
    const now = clockOf(session.terminal, session.globals.now);
    const reading = await readingOf(session, options);
    const { total, notes } = await runOperation(session, 'importing', options, (more) =>
      validateData(source, { now, blocking: session.terminal.blocking }, { ...more, ...reading }),
    );
    if (options.json) await session.print(`${JSON.stringify({ valid: true, records: total })}\n`);
    else {
      await printProblems(session, notes);
      await session.tell(`calendar: ${source.name} is valid (${total} records)`);
    }
  } finally {
    await source.end();
  }
}
