import type { Command } from 'commander';
import { type Difference, diff, type MissingField } from '../../data/remote/diff.ts';
import { remembered, type Site } from '../../data/remote/site.ts';
import type { ResourceName } from '../../model/calendar.ts';
import type { Problem } from '../../model/error.ts';
import { htmlToLine } from '../../model/html/plain-text.ts';
import type { Store } from '../../store/calendar.ts';
import { readStore } from '../connect/file.ts';
import { addRemote, onFile, siteOf } from '../connect/sync.ts';
import { connectorOf } from '../connect/transport.ts';
import { valueTexts } from '../print/sync.ts';
import type { Runner, Session } from '../session.ts';
import { progressOf } from '../terminal/progress.ts';

interface DiffOptions {
  only?: ResourceName[];
  json?: boolean;
}

/** `calendar diff`: compares the file with a site. Exits with 1 if they differ. */
export function build(command: Command, runner: Runner): void {
  addRemote(command)
    .option('--json', 'Output JSON')
    .action(runner.action((session, [url], options) => diffCommand(session, url as string | undefined, options as DiffOptions)));
}

async function diffCommand(session: Session, url: string | undefined, options: DiffOptions): Promise<number> {
  const { remote: site } = await siteOf(session, url);
  const { globals, terminal } = await onFile(session);
  const { store, close } = await readStore(globals, terminal);
  try {
    const { authorization, headers } = site;
    const remote = await connectorOf(session.globals, session.terminal)(remembered(store.db, site).root, authorization, headers);
    try {
      return await printDifferences(session, store, remote, options);
    } finally {
      await remote.close();
    }
  } finally {
    await close();
  }
}

async function printDifferences(session: Session, store: Store, remote: Site, { only, json }: DiffOptions): Promise<number> {
  const progress = progressOf(session.terminal, 'comparing');
  const listed: (Difference | MissingField)[] = [];
  const problems: Problem[] = [];
  let count = 0;
  try {
    for await (const difference of diff(store, remote, { only, problems, onProgress: progress.update })) {
      // What can't be sent is not a difference.
      const isSent = 'field' in difference || (!difference.protected && (!difference.refused || Object.keys(difference.fields).length > 0));
      if (isSent) count++;
      if (json) listed.push(difference);
      else await session.print(differenceText(difference));
    }
  } finally {
    progress.end();
  }
  if (json) await session.print(`${JSON.stringify(listed, null, 2)}\n`);
  for (const { at, reason, told } of problems) if (!told || session.globals.verbose) await session.tell(`calendar: ${at}: ${reason}`);
  return count ? 1 : 0;
}

/** The side that changed a field. */
const markers = { here: 'here →', there: '← there', both: 'both' };

function differenceText(difference: Difference | MissingField): string {
  if ('field' in difference) {
    const { resource, field, records } = difference;
    return `! ${field}: missing on the site in all ${records} ${resource}\n`;
  }
  const { resource, local, remote, name, fields, refused = [], protected: isProtected } = difference;
  const title = htmlToLine(name);
  if (local === undefined) return `> ${resource} ${remote} ${title}: only remote\n`;
  if (remote === undefined) return `< ${resource} ${local} ${title}: only local${isProtected ? '; has a password, and is not sent' : ''}\n`;
  const lines = [
    ...Object.entries(fields).map(([field, { direction, local: own, remote: other }]) => {
      const [here, there] = valueTexts([own ?? '', other ?? '']);
      return `    ${field}: ${markers[direction]} ${here} -> ${there}\n`;
    }),
    ...(isProtected ? ['    has a password, and is not sent\n'] : []),
    ...(refused.length ? [`    not accepted by the site, or not sent: ${refused.join(', ')}\n`] : []),
  ];
  return `! ${resource} ${local}${remote === local ? '' : ` (remote ${remote})`} ${title}\n${lines.join('')}`;
}
