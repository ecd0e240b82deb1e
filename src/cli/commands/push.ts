import type { Command } from 'commander';
import { exitCodes } from '../../model/error.ts';
import { operate } from '../connect/operate.ts';
import { addSyncOptions, onFile, preferred, type SyncOptions, siteOf } from '../connect/sync.ts';
import { dryOf, withProgress } from '../print/summary.ts';
import { printSync } from '../print/sync.ts';
import type { Runner, Session } from '../session.ts';
import { agreed } from '../terminal/prompt.ts';

interface PushOptions extends SyncOptions {
  yes?: boolean;
}

/** `calendar push`: sends the changes of the file to a remote calendar. */
export function build(command: Command, runner: Runner): void {
  addSyncOptions(command)
    .option('--delete', 'Delete copied records there that were deleted in the file')
    .option('-y, --yes', 'Skip the confirmation prompt')
    .action(runner.action((session, [url], options) => pushCommand(session, url as string | undefined, options as PushOptions)));
}

async function pushCommand(session: Session, url: string | undefined, options: PushOptions): Promise<number> {
  const { remote, name } = await siteOf(session, url);
  const question = `Delete the records at ${name} that were deleted in the file?`;
  if (!(await agreed(session.terminal, question, !options.delete || options.yes || options.dryRun))) return exitCodes.ok;
  const { only, delete: deleting } = options;
  const input = { ...dryOf(options), ...remote, only, delete: deleting, prefer: preferred(options) };
  const done = await withProgress(session, 'pushing', options, async (onProgress) =>
    operate(await onFile(session), 'write', 'push', input, onProgress),
  );
  return printSync(session, `Pushed to ${name}`, done, options);
}
