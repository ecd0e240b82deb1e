import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Command } from 'commander';
import project from '../../../package.json' with { type: 'json' };
import { systemFailure } from '../../model/system-error.ts';
import { findCommand } from '../help/find-command.ts';
import { type CommandPage, pagesOf, programPages } from '../help/pages.ts';
import { manPage, pageName } from '../help/roff.ts';
import type { Runner, Session } from '../session.ts';
import { readManual } from '../terminal/manual.ts';

/** `calendar man`: shows a man page on a terminal, and prints it as roff in a pipe. */
export function build(command: Command, runner: Runner): void {
  command
    .argument('[command...]', 'Command (default: the program)')
    .option('-o, --output <folder>', 'Write all man pages to a folder')
    .action(runner.action((session, [words], { output }) => man(session, words as string[], output as string | undefined)));
}

async function man(session: Session, words: readonly string[], output: string | undefined): Promise<undefined> {
  if (output !== undefined) return writePages(session, resolve(session.terminal.cwd, output));
  const command = await findCommand(session, words);
  const pages = pagesOf(command);
  const roff = manPage(pages, project.version);
  const { stdout, env } = session.terminal;
  // Without `man`, the help has the same content.
  if (!stdout.isTTY) await session.print(roff);
  else if (!(await readManual(pageName(pages[0]), roff, env))) command.outputHelp();
  return undefined;
}

/** Writes the program's page, and one per top-level command with its subcommands. */
async function writePages(session: Session, folder: string): Promise<undefined> {
  const { replaceFile } = await import('../../data/export.ts');
  await mkdir(folder, { recursive: true }).catch((error) => {
    throw systemFailure(error, `Could not create ${folder}`);
  });
  const [program, ...below] = await programPages(session);
  const commands = below.filter(({ path }) => path.length === 2).map(({ path }) => below.filter((page) => page.path[1] === path[1]));
  for (const pages of [[program], ...commands] as [CommandPage][])
    await replaceFile(join(folder, `${pageName(pages[0])}.1`), [manPage(pages, project.version)], session.terminal.interrupted);
  return undefined;
}
