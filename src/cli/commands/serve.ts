import { type Command, Option } from 'commander';
import { addServing, type ServeOptions, usualPort } from '../serving/options.ts';
import { whileServed } from '../serving/server.ts';
import type { Runner, Session } from '../session.ts';
import { logRequests, showRequests } from '../ui/serve-output.ts';

/** `calendar serve`: serves the API over HTTP until interrupted. */
export function build(command: Command, runner: Runner): void {
  addServing(command)
    .addOption(new Option('--json', 'say where it listens as a line of JSON on stdout'))
    .addOption(new Option('-q, --quiet', 'do not log requests'))
    .action(
      runner.action(
        (session, _args, options) =>
          serve(session, { ...(options as unknown as ServeOptions), port: Number(options.port ?? usualPort(session.terminal)) }),
        { graceful: true },
      ),
    );
}

async function serve(session: Session, options: ServeOptions & { json?: boolean; quiet?: boolean }): Promise<number> {
  const { stdin, stdout } = session.terminal;
  await whileServed(session, options, (served) =>
    !options.json && stdin.isTTY && stdout.isTTY ? showRequests(served, session, options) : logRequests(served, session, options),
  );
  return 0;
}
