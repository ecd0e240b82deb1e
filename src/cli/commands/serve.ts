import type { Command } from 'commander';
import { withConfigured } from '../serving/configured.ts';
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
        async (own, _args, given, command) => {
          const { session, options } = await withConfigured(own, command, given as unknown as ServeOptions & LiveSiteOptions);
          return serve(session, { ...options, port: Number(options.port ?? defaultPort(session.terminal)) });
        },
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
