import { type Command, Option } from 'commander';
import { importData } from '../../data/import/import.ts';
import { openSource } from '../../data/import/source.ts';
import { type ExitCode, exitCodes } from '../../model/error.ts';
import { openFile } from '../connect/connect.ts';
import { sourceContext } from '../connect/source.ts';
import { addReading, type ReadingOptions, readingOf } from '../import-options.ts';
import { printSummary, runOperation } from '../print/summary.ts';
import type { Runner, Session } from '../session.ts';

/** `calendar import`: records from a file, stdin or an address. */
export function build(command: Command, runner: Runner): void {
  addReading(command)
    .addOption(new Option('--dry-run', 'say what would be done, write nothing'))
    .addOption(new Option('--lenient', 'leave out what is wrong, and take the rest'))
    .addOption(new Option('--json', 'list what was done, as JSON'))
    .action(runner.action((session, [name], options) => importCommand(session, String(name), options as ReadingOptions)));
}

/** Exits with `partial` when something was left out because it is wrong. */
async function importCommand(session: Session, name: string, options: ReadingOptions): Promise<ExitCode> {
  const source = await openSource(name, sourceContext(session));
  try {
    const store = await openFile(session.globals, session.terminal, 'write');
    try {
      const summary = await runOperation(session, 'importing', options, (more) =>
        importData(store, source, { ...more, ...readingOf(options) }),
      );
      if (!options.json) for (const { at, reason } of [...summary.problems, ...summary.notes]) await session.tell(`${at}: ${reason}`);
      await printSummary(session, source.name, summary, options);
      return summary.problems.length ? exitCodes.partial : exitCodes.ok;
    } finally {
      await store.close();
    }
  } finally {
    await source.end();
  }
}
