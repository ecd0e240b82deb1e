import { type Command, Option } from 'commander';
import { openSource, type Source } from '../../data/ingest/source.ts';
import { type ExitCode, exitCodes } from '../../model/error.ts';
import { operate } from '../connect/operate.ts';
import { sourceContext } from '../connect/source.ts';
import { targetOf } from '../connect/target.ts';
import { addReading, type ReadingOptions, readingOf } from '../import-options.ts';
import { dryOf, printDone, withProgress } from '../print/summary.ts';
import type { Runner, Session } from '../session.ts';

/** `calendar import`: imports records from a file, stdin or a URL. */
export function build(command: Command, runner: Runner): void {
  addReading(command)
    .addOption(new Option('--dry-run', 'Show what would be imported'))
    .addOption(new Option('--lenient', 'Skip invalid records and import the rest'))
    .addOption(new Option('--json', 'Output JSON with all records'))
    .action(runner.action((session, [name], options) => importCommand(session, String(name), options as ReadingOptions)));
}

/** Exits with `partial` if invalid records were skipped. */
async function importCommand(session: Session, name: string, options: ReadingOptions): Promise<ExitCode> {
  const source = await openSource(name, sourceContext(session));
  try {
    const { map, ...reading } = readingOf(options);
    const input = {
      ...dryOf(options),
      ...reading,
      ...(map ? { map: Object.fromEntries(map) } : {}),
      name: source.name,
      ...(await contentIn(source, session)),
    };
    const done = await withProgress(session, 'importing', options, (onProgress) => operate(session, 'write', 'import', input, onProgress));
    if (!options.json) for (const { at, reason } of [...done.problems, ...done.notes]) await session.tell(`${at}: ${reason}`);
    await printDone(session, source.name, done, options);
    return done.problems.length ? exitCodes.partial : exitCodes.ok;
  } finally {
    await source.end();
  }
}

/** Returns a path if the process that has the calendar open reads the same disk, otherwise the bytes. */
async function contentIn(source: Source, { globals, terminal }: Session): Promise<{ file: string } | { base64: string }> {
  const target = await targetOf(globals, terminal);
  if (target.kind === 'file' && source.path !== undefined) return { file: source.path };
  return { base64: Buffer.concat([...source.chunks()]).toString('base64') };
}
