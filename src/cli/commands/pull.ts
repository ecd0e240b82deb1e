import { type Command, Option } from 'commander';
import { pull } from '../../data/sync/pull.ts';
import type { ResourceName } from '../../model/calendar.ts';
import { addRemote, withRemote } from '../connect/sync.ts';
import { printSummary, runOperation, type SummaryOptions } from '../print/summary.ts';
import type { Runner, Session } from '../session.ts';

interface PullOptions extends SummaryOptions {
  since?: string;
  only?: ResourceName[];
  restart?: boolean;
}

/** `calendar pull`: a remote calendar's records into the file; what is here as it was last changed is left. */
export function build(command: Command, runner: Runner): void {
  addRemote(command)
    .addOption(new Option('--since <date>', 'only what was changed since'))
    .addOption(new Option('--restart', 'begin anew where an earlier pull was broken off'))
    .addOption(new Option('--dry-run', 'say what would be done, write nothing'))
    .addOption(new Option('--json', 'list what was done, as JSON'))
    .action(runner.action((session, [url], options) => pullCommand(session, String(url), options as PullOptions)));
}

const pullCommand = (session: Session, url: string, options: PullOptions): Promise<undefined> =>
  withRemote(session, url, 'write', async (store, remote) => {
    const { since, only, restart } = options;
    const summary = await runOperation(session, 'pulling', options, (more) => pull(store, remote, { ...more, since, only, restart }));
    await printSummary(session, `pulled from ${url}`, summary, options);
    return undefined;
  });
