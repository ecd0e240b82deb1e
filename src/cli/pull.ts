import { type Command, Option } from 'commander';
import { Failure } from '../model/error.ts';
import { resourceOrder } from '../model/fixture.ts';
import { type Page, type ResourceName, resourceNames } from '../model/resource.ts';
import { readDate, utcOf } from '../model/time.ts';
import { Copies, type Halt } from '../store/copies.ts';
import type { Store } from '../store/open.ts';
import { type Connection, connect, openFile } from './connect.ts';
import { Pull } from './data/pulling.ts';
import { pagesOf } from './data/remote-pages.ts';
import { Tally } from './data/tally.ts';
import { together } from './data/transaction.ts';
import { resourceList } from './export.ts';
import { type Progress, progressOf } from './progress.ts';
import type { Session, Shell } from './shell.ts';

interface PullOptions {
  since?: string;
  only?: ResourceName[];
  dryRun?: boolean;
  restart?: boolean;
  json?: boolean;
}

/** `calendar pull`: a remote calendar's records into the file; what is here as it was last changed is left. */
export function build(command: Command, shell: Shell): void {
  addRemote(command)
    .addOption(new Option('--since <date>', 'only what was changed since'))
    .addOption(new Option('--restart', 'begin anew where an earlier pull was broken off'))
    .addOption(new Option('--dry-run', 'say what would be done, write nothing'))
    .addOption(new Option('--json', 'list what was done, as JSON'))
    .action(shell.action((session, [url], options) => pull(session, String(url), options as PullOptions)));
}

/** The argument and the option that pull, push and diff have in common. */
export const addRemote = (command: Command): Command =>
  command
    .argument('<url>', 'the remote calendar: its address, with or without the namespace')
    .addOption(new Option('--only <resources>', 'some resources only, with commas').argParser(resourceList));

/** Connects to the calendar that an argument names; the file is the one that the other options name. */
export const connectTo = (session: Session, url: string): Promise<Connection> =>
  connect({ ...session.globals, url, db: undefined, profile: undefined }, session.terminal, 'write');

/** Opens the file beside it. */
export const openBeside = (session: Session, mode: 'read' | 'write'): Promise<Store> =>
  openFile({ ...session.globals, url: undefined, user: undefined, passwordStdin: undefined }, session.terminal, mode);

async function pull(session: Session, url: string, options: PullOptions): Promise<number> {
  const store = await openBeside(session, 'write');
  const remote = await connectTo(session, url);
  const tally = new Tally(Boolean(options.json));
  const progress = progressOf(session.terminal, 'pulling');
  try {
    const names = resourceOrder.filter((name) => (options.only ?? resourceNames).includes(name));
    await copyAll(store, remote, names, sinceOf(store, options.since), options, tally, progress);
    progress.end();
    await tally.tell(session, `pulled from ${url}`, options);
    return 0;
  } finally {
    progress.end();
    await remote.close();
    await store.close();
  }
}

function sinceOf(store: Store, text: string | undefined): string {
  if (text === undefined) return '';
  const { now, zone } = store.asking();
  const read = readDate(text, now, zone);
  if (!read)
    throw new Failure(
      'bad-request',
      `--since is not a date that can be read: ${JSON.stringify(text)}`,
      {},
      'Write it like 2027-03-01 or -1 week.',
    );
  return utcOf(read.instant);
}

/** Copies page after page, each in a transaction of its own with word of how far it got, so that a pull that breaks off goes on from there. */
async function copyAll(
  store: Store,
  remote: Connection,
  names: readonly ResourceName[],
  since: string,
  { dryRun, restart }: PullOptions,
  tally: Tally,
  progress: Progress,
): Promise<void> {
  const copies = new Copies(store.db, siteOf(remote));
  if (dryRun) return rehearse(store, remote, names, copies, since, tally);
  const halt = restart ? undefined : copies.halt;
  const begun = halt && names.includes(halt.resource) ? names.indexOf(halt.resource) : 0;
  for (const name of names.slice(begun)) {
    const pull = new Pull(copies, tally, since);
    const from = halt?.resource === name ? halt : undefined;
    for await (const page of pagesSince(remote, name, from)) {
      await together(store, false, (desk) => {
        pull.take(desk, name, page);
        copies.stopAt({ resource: name, page: page.number + 1, total: page.total });
      });
      progress.at(tally.total);
    }
    await together(store, false, (desk) => pull.settle(desk));
  }
  await store.change(() => copies.stopAt(undefined));
}

/** A dry run holds all pages, since a transaction waits for nobody. */
async function rehearse(
  store: Store,
  remote: Connection,
  names: readonly ResourceName[],
  copies: Copies,
  since: string,
  tally: Tally,
): Promise<void> {
  const pages: [ResourceName, Page][] = [];
  for (const name of names) for await (const page of pagesOf(remote.calendar, name)) pages.push([name, page]);
  const pull = new Pull(copies, tally, since);
  await together(store, true, (desk) => {
    for (const [name, page] of pages) pull.take(desk, name, page);
  });
}

/** Pages from where an earlier pull ended; from the first where records came or went meanwhile, and of terms always, whose tree is made in one go. */
async function* pagesSince(remote: Connection, name: ResourceName, halt: Halt | undefined): AsyncGenerator<Page & { number: number }> {
  const from = halt && name !== 'categories' && name !== 'tags' ? halt.page : 1;
  for await (const page of pagesOf(remote.calendar, name, from)) {
    if (from > 1 && page.number === from && page.total !== halt?.total) {
      yield* pagesOf(remote.calendar, name);
      return;
    }
    yield page;
  }
}

/** What a remote calendar is remembered by. */
export const siteOf = (remote: Connection): string => remote.place.split(/[ ,]/, 1)[0]!;
