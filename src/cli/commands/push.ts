import type { Command } from 'commander';
import { exitCodes } from '../../model/error.ts';
import { htmlToLine } from '../../model/html/plain-text.ts';
import type { RecordChange } from '../../model/operation-types.ts';
import { operate } from '../connect/operate.ts';
import { addSyncOptions, confirming, mayDelete, onFile, preferred, type SyncOptions, siteOf, tellInStep } from '../connect/sync.ts';
import { dryOf, withProgress } from '../print/summary.ts';
import { printSync } from '../print/sync.ts';
import type { Runner, Session } from '../session.ts';

/** `calendar push`: sends the changes of the file to a site. */
export function build(command: Command, runner: Runner): void {
  addSyncOptions(command)
    .option('--delete', 'Delete copied records there that were deleted in the file')
    .action(runner.action((session, [url], options) => pushCommand(session, url as string | undefined, options as SyncOptions)));
}

async function pushCommand(session: Session, url: string | undefined, options: SyncOptions): Promise<number> {
  const { remote, name } = await siteOf(session, url, { writes: true });
  if (options.delete && !(await mayDelete(session, name, options))) return exitCodes.ok;
  const { only, delete: deleting } = options;
  const input = {
    ...dryOf(options),
    ...remote,
    only,
    delete: deleting,
    prefer: preferred(options),
    list: Boolean(options.json || options.dryRun),
  };
  const done = await confirming(session, { yes: options.yes }, (confirmed) =>
    withProgress(session, 'pushing', options, async (onProgress) =>
      operate(await onFile(session), 'update', 'push', { ...input, ...confirmed }, onProgress),
    ),
  );
  if (options.dryRun && !options.json) await printChanges(session, done.records);
  const exit = await printSync(session, 'push', name, done, options);
  await tellInStep(session, options);
  return exit;
}

const maxChanges = 50;

/** Prints what a push would send. */
async function printChanges(session: Session, records: readonly RecordChange[]): Promise<void> {
  const changes = records.filter(({ action }) => action !== 'unchanged' && action !== 'skipped');
  for (const { action, resource, id, name, fields = [] } of changes.slice(0, maxChanges))
    await session.tell(`  ${action} ${resource} ${id} ${htmlToLine(name)}${fields.length ? `: ${fields.join(', ')}` : ''}`);
  if (changes.length > maxChanges) await session.tell(`  … and ${changes.length - maxChanges} more; --json lists them`);
}
