import { extname, resolve } from 'node:path';
import type { Command } from 'commander';
import { type ExportFormat, exportCalendar, exportFormats } from '../../data/export.ts';
import { lossesOfExport, type SourcesOf, sourcesIn } from '../../data/losses.ts';
import { batches, writeFileFrom } from '../../data/write-file.ts';
import type { ResourceName } from '../../model/calendar.ts';
import { Failure, type Problem } from '../../model/error.ts';
import { owner } from '../../model/viewer.ts';
import { readStore } from '../connect/file.ts';
import { operate } from '../connect/operate.ts';
import { targetOf } from '../connect/target.ts';
import { parseOneOf, parseResources } from '../options.ts';
import type { Runner, Session } from '../session.ts';
import { progressOf } from '../terminal/progress.ts';

interface ExportOptions {
  format?: ExportFormat;
  only?: ResourceName[];
  fields?: string[];
  output?: string;
}

/** `calendar export`: writes the calendar in a format that `calendar import` or SQLite reads. */
export function build(command: Command, runner: Runner): void {
  command
    .option('--format <format>', `Format: ${exportFormats.join(', ')} (default: from the file name, or json)`, parseOneOf(exportFormats))
    .option('--only <resources>', 'Comma-separated resources to export; for CSV, one (default events)', parseResources)
    .option('--fields <names>', 'Comma-separated columns of CSV', (text) => text.split(',').map((name) => name.trim()))
    .option('-o, --output <file>', 'Write to a file instead of stdout')
    .action(runner.action((session, _args, options) => exportCommand(session, options as ExportOptions)));
}

async function exportCommand(
  session: Session,
  { output, only, fields, format = formatOf(output) ?? 'json' }: ExportOptions,
): Promise<undefined> {
  const { terminal } = session;
  const target = await targetOf(session.globals, terminal);
  if (target.kind === 'remote') {
    const text = await operate(session, 'read', 'export', { format, only, fields }).catch((error) => {
      throw format === 'sql' && error instanceof Failure && error.code === 'control-not-allowed' ? sqlRefusal(target.url) : error;
    });
    if (output === undefined) await session.print(text);
    else await writeFileFrom(resolve(terminal.cwd, output), [text], terminal.interrupted);
    if (isLossy(format, fields)) {
      const whole = String(await operate(session, 'read', 'export', { format: 'ndjson' }));
      await tellLosses(session, format, only, (name) => sourcesIn(whole, name));
    }
    return;
  }
  if (output !== undefined) await assertOther(resolve(terminal.cwd, output), target.file);
  const { store, close } = await readStore(session.globals, terminal);
  const progress = progressOf(terminal, 'exporting');
  let count = 0;
  function* counted(pieces: Iterable<string>): Generator<string> {
    for (const piece of pieces) {
      progress.update(++count);
      yield piece;
    }
  }
  try {
    const pieces = counted(exportCalendar(store, { format, only, fields }));
    if (output !== undefined) await writeFileFrom(resolve(terminal.cwd, output), pieces, terminal.interrupted);
    else
      for (const batch of batches(pieces)) {
        terminal.interrupted.throwIfAborted();
        await session.print(batch);
      }
    progress.end();
    const local = store.local(owner, { home: '', root: '' });
    if (isLossy(format, fields)) await tellLosses(session, format, only, (name) => local.sources(name));
  } finally {
    progress.end();
    await close();
  }
}

/** True if a format leaves something out that was not chosen with `--fields`. */
const isLossy = (format: ExportFormat, fields: unknown): boolean => (format === 'csv' && fields === undefined) || format === 'ics';

/** Prints what the file leaves out: for each reason the number of records and the first. With `-v`, prints all. */
async function tellLosses(session: Session, format: ExportFormat, only: ResourceName[] | undefined, sourcesOf: SourcesOf): Promise<void> {
  const losses = lossesOfExport({ format, only }, sourcesOf);
  if (!losses.length) return;
  const isWhole = Boolean(session.globals.verbose);
  await session.tell(`calendar: ${format} leaves out or changes what json and ndjson keep${isWhole ? '' : ' (-v lists all records)'}:`);
  const groups = new Map<string, Problem[]>();
  for (const loss of losses) {
    const key = `${loss.at.split(' ')[0]} ${loss.reason}`;
    const group = groups.get(key);
    if (group) group.push(loss);
    else groups.set(key, [loss]);
  }
  for (const group of groups.values())
    for (const { at, reason } of isWhole ? group : group.slice(0, 1)) {
      const more = isWhole || group.length < 2 ? '' : ` (and ${group.length - 1} more)`;
      await session.tell(`  ${at}: ${reason}${more}`);
    }
}

const sqlRefusal = (url: string): Failure =>
  new Failure(
    'control-not-allowed',
    `${url} does not export SQL: it contains all users`,
    'On the machine of the server, use --db FILE. For a calendar in memory or on another machine, export with --format json.',
  );

/** Throws `conflict` if the output would overwrite the calendar's own files. */
async function assertOther(output: string, file: string): Promise<void> {
  const { canonical, sameFile } = await import('../../store/file/files.ts');
  if (['', '-log', '-owner'].some((end) => sameFile(output, canonical(file) + end)))
    throw new Failure('conflict', `${output} is the calendar itself`, 'Choose another name for the export.');
}

const formatOf = (file: string | undefined): ExportFormat | undefined =>
  exportFormats.find((format) => file !== undefined && extname(file) === `.${format}`);
