import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { type Command, Option } from 'commander';
import { exitCodes, Failure } from '../../model/error.ts';
import { counted } from '../../model/grammar.ts';
import type { FileInfo } from '../../model/operation-types.ts';
import { lockTimeoutMs, ownerPlace, serverOf } from '../connect/file.ts';
import { operate } from '../connect/operate.ts';
import { targetOf } from '../connect/target.ts';
import type { Runner, Session } from '../session.ts';
import { alignColumns } from '../terminal/align.ts';
import { agreed } from '../terminal/prompt.ts';

/** `calendar db`: maintenance of the database file. */
export function build(command: Command, runner: Runner): void {
  const json = () => new Option('--json', 'Output JSON');
  const yes = () => new Option('-y, --yes', 'Skip the confirmation prompt');
  command
    .command('check')
    .summary('Check the file and its log for damage')
    .addOption(json())
    .action(runner.action((session, _args, options) => check(session, Boolean(options.json))));
  command
    .command('info')
    .summary('Show size, schema and record counts')
    .addOption(json())
    .action(runner.action((session, _args, options) => info(session, Boolean(options.json))));
  command.command('checkpoint').summary('Write the log into the file').action(runner.action(checkpoint));
  command
    .command('backup')
    .summary('Write a consistent copy, also while a server runs')
    .argument('<file>', 'Path of the copy')
    .option('--force', 'Overwrite an existing file')
    .action(runner.action((session, [to], options) => backup(session, String(to), Boolean(options.force))));
  command
    .command('restore')
    .summary('Replace the file with a copy; keeps the old file')
    .argument('<file>', 'Path of the copy')
    .addOption(yes())
    .action(runner.action((session, [from], options) => restore(session, String(from), Boolean(options.yes))));
  command
    .command('repair')
    .summary('Cut a damaged log at the damage; keeps the old log')
    .addOption(yes())
    .action(runner.action((session, _args, options) => repair(session, Boolean(options.yes))));
}

/** Throws `bad-request` for a server, and `store-missing` if the file is `needed` and missing. */
async function fileOf(session: Session, needed = true): Promise<string> {
  const target = await targetOf(session.globals, session.terminal);
  if (target.kind === 'remote' || target.file === ':memory:')
    throw new Failure('bad-request', `${target.source} is not a file`, 'Pass --db FILE.');
  if (needed && !['', '-log', '-owner'].some((end) => existsSync(target.file + end)))
    throw new Failure('store-missing', `${target.file}: no such calendar`, 'Pass --db FILE.');
  return target.file;
}

async function check(session: Session, json: boolean): Promise<number> {
  const file = await fileOf(session);
  const [{ checkFile }, { calendarFile }] = await Promise.all([
    import('../../store/file/check.ts'),
    import('../../store/records/schema.ts'),
  ]);
  const report = await checkFile(file, calendarFile);
  if (json) await session.print(`${JSON.stringify(report, (key, value) => (key === 'token' ? undefined : value), 2)}\n`);
  else {
    await session.print(report.ok ? `${file}: no damage found\n` : `${file} is damaged\n`);
    for (const { where, kind, text, hint } of report.findings)
      await session.print(`  ${where}: ${kind === 'note' ? 'note: ' : ''}${text}\n${hint ? `    ${hint}\n` : ''}`);
    if (report.changes)
      await session.print(
        `  the log has ${counted(report.changes, 'change')} that ${report.changes === 1 ? 'is' : 'are'} not in the file yet\n`,
      );
  }
  return report.ok ? exitCodes.ok : exitCodes.server;
}

async function info(session: Session, json: boolean): Promise<undefined> {
  await fileOf(session);
  const figures = await operate(session, 'read', 'info', {});
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
  await operate(session, 'write', 'checkpoint', {});
}

async function backup(session: Session, to: string, force: boolean): Promise<undefined> {
  const path = resolve(session.terminal.cwd, to);
  if (existsSync(path) && !force) throw new Failure('conflict', `${path} already exists`, 'Choose another name, or pass --force.');
  await fileOf(session);
  await operate(session, 'read', 'backup', { file: path });
  await session.print(`${path}\n`);
}

/** Throws `store-locked` while a server has the file open. */
async function assertNotServed(file: string): Promise<void> {
  const owner = await serverOf(file);
  if (owner) throw new Failure('store-locked', `The file is in use: ${ownerPlace(owner, file)}`, 'Stop the server first.');
}

async function restore(session: Session, from: string, yes: boolean): Promise<undefined> {
  const file = await fileOf(session, false);
  const copy = resolve(session.terminal.cwd, from);
  if (!existsSync(copy)) throw new Failure('not-found', `${copy}: no such file`);
  await assertNotServed(file);
  if (!(await agreed(session.terminal, `Replace ${file} with ${copy}?`, yes))) return;
  const [{ restoreFile }, { calendarFile }] = await Promise.all([
    import('../../store/file/restore.ts'),
    import('../../store/records/schema.ts'),
  ]);
  const aside = await restoreFile(file, copy, calendarFile, lockTimeoutMs(session.globals));
  await session.print(`Restored ${file}${aside ? `. The old file is ${aside}` : ''}\n`);
}

async function repair(session: Session, yes: boolean): Promise<undefined> {
  const file = await fileOf(session);
  await assertNotServed(file);
  if (!(await agreed(session.terminal, `Cut the log of ${file} at the damage?`, yes))) return;
  const [{ repairFile }, { calendarFile }] = await Promise.all([
    import('../../store/file/check.ts'),
    import('../../store/records/schema.ts'),
  ]);
  const aside = await repairFile(file, calendarFile, lockTimeoutMs(session.globals));
  await session.print(aside ? `Cut the log. The damaged log is ${aside}\n` : 'The log is not damaged\n');
}
