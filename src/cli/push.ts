import { type Command, Option } from 'commander';
import { exitCodes } from '../model/error.ts';
import { resourceOrder } from '../model/fixture.ts';
import { type ResourceName, resourceNames } from '../model/resource.ts';
import { owner } from '../model/viewer.ts';
import { Copies } from '../store/copies.ts';
import { Push } from './data/pushing.ts';
import { Tally } from './data/tally.ts';
import { progressOf } from './progress.ts';
import { addRemote, connectTo, openBeside, siteOf } from './pull.ts';
import { agreed } from './reset.ts';
import type { Session, Shell } from './shell.ts';

interface PushOptions {
  only?: ResourceName[];
  delete?: boolean;
  yes?: boolean;
  dryRun?: boolean;
  json?: boolean;
}

/** `calendar push`: the file's records into a remote calendar. */
export function build(command: Command, shell: Shell): void {
  addRemote(command)
    .addOption(new Option('--delete', 'delete there what is not in the file'))
    .addOption(new Option('-y, --yes', 'do not ask before deleting'))
    .addOption(new Option('--dry-run', 'say what would be done, write nothing'))
    .addOption(new Option('--json', 'list what was done, as JSON'))
    .action(shell.action((session, [url], options) => push(session, String(url), options as PushOptions)));
}

async function push(session: Session, url: string, options: PushOptions): Promise<number> {
  if (options.delete && !options.yes && !options.dryRun && !(await agreed(session, `Delete everything at ${url} that is not in the file?`)))
    return 0;
  const store = await openBeside(session, 'write');
  const remote = await connectTo(session, url);
  const tally = new Tally(Boolean(options.json));
  const progress = progressOf(session.terminal, 'pushing');
  try {
    const home = store.settings.get('home');
    const desk = store.desk(owner, { home, root: home });
    const work = new Push(store, desk, new Copies(store.db, siteOf(remote)), remote.calendar, tally, Boolean(options.dryRun));
    for (const name of resourceOrder) if ((options.only ?? resourceNames).includes(name)) await work.resource(name, progress.at);
    if (options.delete) await work.deletions();
    progress.end();
    await tally.tell(session, `pushed to ${url}`, options);
    for (const { resource, id, name, message } of work.refusals) await session.tell(`calendar: ${resource} ${id} (${name}): ${message}`);
    return work.refusals.length ? exitCodes.partial : exitCodes.ok;
  } finally {
    progress.end();
    await remote.close();
    await store.close();
  }
}
