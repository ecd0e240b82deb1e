import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { type Command, Option } from 'commander';
import { exitCodes, Failure } from '../model/error.ts';
import { connectToOwner } from './connect.ts';
import { byOwner, type Figures } from './errands.ts';
import { lines } from './lines.ts';
import type { Session, Shell } from './shell.ts';
import { targetOf } from './target.ts';
import { confirm, isAttended } from './terminal.ts';

/** `calendar db`: looking after the file that a calendar is kept in. */
export function build(command: Command, shell: Shell): void {
  const json = () => new Option('--json', 'as JSON');
  const yes = () => new Option('-y, --yes', 'do not ask');
  command
    .command('check')
    .summary('look for damage in the file and its log')
    .addOption(json())
    .action(shell.action((session, _args, options) => check(session, Boolean(options.json))));
  command
    .command('info')
    .summary('figures about the file')
    .addOption(json())
    .action(shell.action((session, _args, options) => info(session, Boolean(options.json))));
  command.command('checkpoint').summary('fold the log into the file').action(shell.action(checkpoint));
  command
    .command('backup')
    .summary('write a consistent copy, also while a server runs')
    .argument('<file>', 'where to')
    .option('--force', 'write over a file that is there')
    .action(shell.action((session, [to], options) => backup(session, String(to), Boolean(options.force))));
  command
    .command('restore')
    .summary('put a copy in the place of the file; the file is kept beside it')
    .argument('<file>', 'the copy')
    .addOption(yes())
    .action(shell.action((session, [from], options) => restore(session, String(from), Boolean(options.yes))));
  command
    .command('repair')
    .summary('cut a damaged log where the damage begins, after copying it')
    .addOption(yes())
    .action(shell.action((session, _args, options) => repair(session, Boolean(options.yes))));
}

/** The file that is meant; fails where a server is meant, or where there is none and one is needed. */
async function fileOf(session: Session, needed = true): Promise<string> {
  const target = await targetOf(session.globals, session.terminal);
  if (target.kind === 'remote' || target.file === ':memory:')
    throw new Failure('bad-request', `${target.said} names no file`, {}, 'Give --db FILE.');
  if (needed && !['', '-log', '-owner'].some((end) => existsSync(target.file + end)))
    throw new Failure('store-missing', `there is no calendar at ${target.file}`, {}, 'Say which file is meant with --db FILE.');
  return target.file;
}

async function check(session: Session, json: boolean): Promise<number> {
  const file = await fileOf(session);
  const [{ check }, { schemaVersion }, { sqlFunctions }] = await Promise.all([
    import('../store/check.ts'),
    import('../store/schema.ts'),
    import('../store/where.ts'),
  ]);
  const report = await check(file, { schema: schemaVersion, functions: sqlFunctions });
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
  const figures = await byOwner(session, 'read', 'info');
  await session.print(json ? `${JSON.stringify(figures, null, 2)}\n` : shown(figures));
}

function shown({ file, schema, fileBytes, logBytes, pages, pageSize, records, failure }: Figures): string {
  return lines([
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
  await byOwner(session, 'write', 'checkpoint');
}

async function backup(session: Session, to: string, force: boolean): Promise<undefined> {
  const path = resolve(session.terminal.cwd, to);
  if (existsSync(path) && !force) throw new Failure('conflict', `${path} is there already`, {}, 'Give another name, or --force.');
  await fileOf(session);
  await byOwner(session, 'read', 'backup', path);
  await session.print(`${path}\n`);
}

async function agreed(session: Session, yes: boolean, question: string): Promise<boolean> {
  if (yes) return true;
  if (isAttended(session.terminal)) return confirm(session.terminal, question);
  throw new Failure('bad-request', 'nobody is there to be asked', {}, 'Give --yes.');
}

/** Fails while a server owns the file: it would have to be stopped, and nobody waits for that. */
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
  if (!(await agreed(session, yes, `Put ${copy} in the place of ${file}?`))) return;
  const [{ restore }, { migrate, schemaVersion }, { sqlFunctions }] = await Promise.all([
    import('../store/check.ts'),
    import('../store/schema.ts'),
    import('../store/where.ts'),
  ]);
  const timeout = (session.globals.timeout ?? 30) * 1000;
  const aside = await restore(file, copy, { schema: schemaVersion, migrate, functions: sqlFunctions, timeout });
  await session.print(`${file} is restored${aside ? `; what was there is ${aside}` : ''}\n`);
}

async function repair(session: Session, yes: boolean): Promise<undefined> {
  const file = await fileOf(session);
  await unserved(session);
  if (!(await agreed(session, yes, `Cut the log of ${file} where the damage begins?`))) return;
  const { repair } = await import('../store/check.ts');
  const aside = await repair(file, (session.globals.timeout ?? 30) * 1000);
  await session.print(aside ? `cut; the damaged log is ${aside}\n` : 'there was nothing to cut\n');
}
