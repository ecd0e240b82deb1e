import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { type Command, Option } from 'commander';
import { exitCodes, Failure } from '../../model/error.ts';
import type { FileInfo } from '../../model/operations/server.ts';
import { connectToOwner } from '../connect/connect.ts';
import { operate } from '../connect/operate.ts';
import { targetOf } from '../connect/target.ts';
import type { Runner, Session } from '../session.ts';
import { alignColumns } from '../terminal/align.ts';
import { agreed } from '../terminal/prompt.ts';

/** `calendar db`: maintenance of a calendar's file. */
export function build(command: Command, runner: Runner): void {
  const json = () => new Option('--json', 'as JSON');
  const yes = () => new Option('-y, --yes', 'do not ask');
  command
    .command('check')
    .summary('look for damage in the file and its log')
    .addOption(json())
    .action(runner.action((session, _args, options) => check(session, Boolean(options.json))));
  command
    .command('info')
    .summary('figures about the file')
    .addOption(json())
    .action(runner.action((session, _args, options) => info(session, Boolean(options.json))));
  command.command('checkpoint').summary('fold the log into the file').action(runner.action(checkpoint));
  command
    .command('backup')
    .summary('write a consistent copy, also while a server runs')
    .argument('<file>', 'where to')
    .option('--force', 'write over a file that is there')
    .action(runner.action((session, [to], options) => backup(session, String(to), Boolean(options.force))));
  command
    .command('restore')
    .summary('put a copy in the place of the file; the file is kept beside it')
    .argument('<file>', 'the copy')
    .addOption(yes())
    .action(runner.action((session, [from], options) => restore(session, String(from), Boolean(options.yes))));
  command
    .command('repair')
    .summary('cut a damaged log where the damage begins, after copying it')
    .addOption(yes())
    .action(runner.action((session, _args, options) => repair(session, Boolean(options.yes))));
}

/** The target's file. Fails when the target is a server, or when the file is `needed` and missing. */
async function fileOf(session: Session, needed = true): Promise<string> {
  const target = await targetOf(session.globals, session.terminal);
  if (target.kind === 'remote' || target.file === ':memory:')
    throw new Failure('bad-request', `${target.source} names no file`, {}, 'Give --db FILE.');
  if (needed && !['', '-log', '-owner'].some((end) => existsSync(target.file + end)))
    throw new Failure('store-missing', `there is no calendar at ${target.file}`, {}, 'Say which file is meant with --db FILE.');
  return target.file;
}

async function check(session: Session, json: boolean): Promise<number> {
  const file = await fileOf(session);
  const [{ check }, { calendarFile }] = await Promise.all([
    import('../../store/file/check.ts'),
    import('../../store/records/calendar-file.ts'),
  ]);
  const report = await check(file, calendarFile);
  if (json) await session.print(`${JSON.stringify(report, (key, value) => (key === 'token' ? undefined : value), 2)}\n`);
  else {
    await session.print(report.ok ? `${file}: no damage found\n` : `${file} is damaged\n`);
    for (const { where, kind, text, hint } of report.findings)
      await session.print(`  ${where}: ${kind === 'note' ? 'note: ' : ''}${text}\n${hint ? `    ${hint}\n` : ''}`);
    if (!report.ok && report.intact.length) await session.print(`  intact: ${report.intact.join(', ')}\n`);
    if (report.changes) await session.print(`  ${report.changes} changes in the log are not in the file yet\n`);
  }
  return report.ok ? exitCodes.ok : exitCodes.server;
}

async function info(session: Session, json: boolean): Promise<undefined> {
  await fileOf(session);
  const figures = await operate(session, 'read', 'info');
  await session.print(json ? `${JSON.stringify(figures, null, 2)}\n` : shown(figures));
}

function shown({ file, schema, fileBytes, logBytes, pages, pageSize, records, failure }: FileInfo): string {
  return alignColumns([
    ['file', String(file)],
    ['size', `${fileBytes} bytes in ${pages} pages of ${pageSize}`],
    ['log', `${logBytes} bytes`],
    ['schema', String(schema)],
    ...Object.entries(records).map(([name, count]) => [name, String(count)]),
    ...(failure ? [['failure', failure]] : []),
  ]);
}

async function checkpoint(session: Session): Promise<undefined> {
  await fileOf(session);
  await operate(session, 'write', 'checkpoint');
}

async function backup(session: Session, to: string, force: boolean): Promise<undefined> {
  const path = resolve(session.terminal.cwd, to);
  if (existsSync(path) && !force) throw new Failure('conflict', `${path} is there already`, {}, 'Give another name, or --force.');
  await fileOf(session);
  await operate(session, 'read', 'backup', { file: path });
  await session.print(`${path}\n`);
}

/** Fails while a server owns the file. */
async function unserved(session: Session): Promise<void> {
  const server = await connectToOwner(session.globals, session.terminal);
  await server?.close();
  if (server) throw new Failure('store-locked', `the file is in use: ${server.place}`, {}, 'Stop the server first.');
}

async function restore(session: Session, from: string, yes: boolean): Promise<undefined> {
  const file = await fileOf(session, false);
  const copy = resolve(session.terminal.cwd, from);
  if (!existsSync(copy)) throw new Failure('not-found', `there is no file ${copy}`);
  await unserved(session);
  if (!(await agreed(session.terminal, `Put ${copy} in the place of ${file}?`, yes))) return;
  const [{ restore }, { calendarFile }] = await Promise.all([
    import('../../store/file/restore.ts'),
    import('../../store/records/calendar-file.ts'),
  ]);
  const timeout = (session.globals.timeout ?? 30) * 1000;
  const aside = await restore(file, copy, calendarFile, timeout);
  await session.print(`${file} is restored${aside ? `; what was there is ${aside}` : ''}\n`);
}

async function repair(session: Session, yes: boolean): Promise<undefined> {
  const file = await fileOf(session);
  await unserved(session);
  if (!(await agreed(session.terminal, `Cut the log of ${file} where the damage begins?`, yes))) return;
  const [{ repair }, { calendarFile }] = await Promise.all([
    import('../../store/file/repair.ts'),
    import('../../store/records/calendar-file.ts'),
  ]);
  const aside = await repair(file, calendarFile, (session.globals.timeout ?? 30) * 1000);
  await session.print(aside ? `cut; the damaged log is ${aside}\n` : 'there was nothing to cut\n');
}
