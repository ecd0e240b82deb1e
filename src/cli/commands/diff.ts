import { type Command, Option } from 'commander';
import { type Difference, diff } from '../../data/sync/diff.ts';
import type { ResourceName } from '../../model/calendar.ts';
import { htmlToLine } from '../../model/html/plain-text.ts';
import { addRemote, withRemote } from '../connect/sync.ts';
import type { Runner, Session } from '../session.ts';
import { progressOf } from '../terminal/progress.ts';

interface DiffOptions {
  only?: ResourceName[];
  json?: boolean;
}

/** `calendar diff`: what is not the same in the file and in a remote calendar; exit code 1 when something is. */
export function build(command: Command, runner: Runner): void {
  addRemote(command)
    .addOption(new Option('--json', 'as JSON'))
    .action(runner.action((session, [url], options) => diffCommand(session, String(url), options as DiffOptions)));
}

const diffCommand = (session: Session, url: string, { only, json }: DiffOptions): Promise<number> =>
  withRemote(session, url, 'read', async (store, remote) => {
    const progress = progressOf(session.terminal, 'comparing');
    const listed: Difference[] = [];
    let count = 0;
    try {
      for await (const difference of diff(store, remote, { only, onProgress: progress.update })) {
        count++;
        if (json) listed.push(difference);
        else await session.print(differenceText(difference));
      }
    } finally {
      progress.end();
    }
    if (json) await session.print(`${JSON.stringify(listed, null, 2)}\n`);
    return count ? 1 : 0;
  });

function differenceText({ resource, local, remote, name, fields }: Difference): string {
  const title = htmlToLine(name);
  if (local === undefined) return `> ${resource} ${remote} ${title}: only there\n`;
  if (remote === undefined) return `< ${resource} ${local} ${title}: only here\n`;
  const lines = Object.entries(fields).map(([field, value]) => `    ${field}: ${valueText(value.local)} -> ${valueText(value.remote)}\n`);
  return `! ${resource} ${local}${remote === local ? '' : ` (${remote} there)`} ${title}\n${lines.join('')}`;
}

function valueText(value: unknown): string {
  const json = JSON.stringify(value) ?? '""';
  return json.length > 120 ? `${json.slice(0, 117)}…` : json;
}
