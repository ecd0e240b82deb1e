import type { Command } from 'commander';
import { addLiveSite, addServing, defaultPort, type LiveSiteOptions, type ServeOptions } from '../serving/options.ts';
import { whileServed } from '../serving/server.ts';
import type { Runner, Session } from '../session.ts';
import { logRequests, showRequests } from '../ui/serve-output.ts';

/** `calendar serve`: runs a server until it is interrupted. */
export function build(command: Command, runner: Runner): void {
  addLiveSite(addServing(command))
    .option('--json', 'Print the address as a line of JSON on stdout')
    .option('-q, --quiet', "Don't log requests")
    .action(
      runner.action(
        (session, _args, options) =>
          serve(session, {
            ...(options as unknown as ServeOptions & LiveSiteOptions),
            port: Number(options.port ?? defaultPort(session.terminal)),
          }),
        { graceful: true },
      ),
    );
}

async function serve(session: Session, options: ServeOptions & LiveSiteOptions & { json?: boolean; quiet?: boolean }): Promise<number> {
  const { stdin, stdout } = session.terminal;
  await whileServed(session, options, (served) =>
    !options.json && stdin.isTTY && stdout.isTTY ? showRequests(served, session, options) : logRequests(served, session, options),
  );
  return 0;
}
