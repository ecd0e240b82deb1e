import { type Command, Option } from 'commander';
import { resourceOrder } from '../model/fixture.ts';
import { lineOf } from '../model/plain.ts';
import { type Entry, type ResourceName, resourceNames } from '../model/resource.ts';
import { owner } from '../model/viewer.ts';
import { Copies } from '../store/copies.ts';
import type { Store } from '../store/open.ts';
import type { Connection } from './connect.ts';
import { Comparison, calledIn, type Difference } from './data/difference.ts';
import { pagesOf } from './data/remote-pages.ts';
import { progressOf } from './progress.ts';
import { addRemote, connectTo, openBeside, siteOf } from './pull.ts';
import type { Session, Shell } from './shell.ts';

interface DiffOptions {
  only?: ResourceName[];
  json?: boolean;
}

/** `calendar diff`: what is not the same in the file and in a remote calendar; exit code 1 when something is. */
export function build(command: Command, shell: Shell): void {
  addRemote(command)
    .addOption(new Option('--json', 'as JSON'))
    .action(shell.action((session, [url], options) => diff(session, String(url), options as DiffOptions)));
}

async function diff(session: Session, url: string, options: DiffOptions): Promise<number> {
  const store = await openBeside(session, 'read');
  const remote = await connectTo(session, url);
  const progress = progressOf(session.terminal, 'comparing');
  try {
    const names = resourceOrder.filter((name) => (options.only ?? resourceNames).includes(name));
    const found: Difference[] = [];
    for await (const difference of differences(store, remote, names, progress.at)) {
      if (options.json) found.push(difference);
      else await session.print(shown(difference));
      found.length ||= 1;
    }
    if (options.json) await session.print(`${JSON.stringify(found.filter(Boolean), null, 2)}\n`);
    return found.length ? 1 : 0;
  } finally {
    progress.end();
    await remote.close();
    await store.close();
  }
}

/** What differs, resource by resource: records there in their order, then those that are only here. */
async function* differences(
  store: Store,
  remote: Connection,
  names: readonly ResourceName[],
  at: (count: number) => void,
): AsyncGenerator<Difference> {
  const home = store.settings.get('home');
  const desk = store.desk(owner, { home, root: home });
  const comparison = new Comparison(desk, new Copies(store.db, siteOf(remote)));
  let count = 0;
  for (const name of names) {
    const met = new Set<number>();
    for await (const page of pagesOf(remote.calendar, name)) {
      for (const entry of page.entries) {
        const { local, veiled, fields } = comparison.compare(name, entry);
        if (local) met.add(local.id);
        if (!local && !veiled) yield { resource: name, remote: entry.id, name: calledIn(name, entry), fields: {} };
        else if (local && Object.keys(fields).length)
          yield { resource: name, local: local.id, remote: entry.id, name: calledIn(name, local), fields };
        at(++count);
      }
    }
    for (const entry of desk.entries(name))
      if (!met.has(entry.id) && isListed(entry)) yield { resource: name, local: entry.id, name: calledIn(name, entry), fields: {} };
  }
}

/** Whether lists would show a record: what they never show cannot be missed. */
const isListed = (entry: Entry): boolean => entry.hide_from_listings !== true;

function shown({ resource, local, remote, name, fields }: Difference): string {
  const title = lineOf(name);
  if (local === undefined) return `> ${resource} ${remote} ${title}: only there\n`;
  if (remote === undefined) return `< ${resource} ${local} ${title}: only here\n`;
  const lines = Object.entries(fields).map(([field, value]) => `    ${field}: ${text(value.local)} -> ${text(value.remote)}\n`);
  return `! ${resource} ${local}${remote === local ? '' : ` (${remote} there)`} ${title}\n${lines.join('')}`;
}

function text(value: unknown): string {
  const json = JSON.stringify(value) ?? '""';
  return json.length > 120 ? `${json.slice(0, 117)}…` : json;
}
