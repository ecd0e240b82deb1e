import { randomBytes } from 'node:crypto';
import { type Command, Option } from 'commander';
import { advanced } from '../help/examples.ts';
import { withConfigured } from '../serving/configured.ts';
import { addServing, defaultPort, type ServeOptions } from '../serving/options.ts';
import { type WatchedServer, whileServed } from '../serving/server.ts';
import type { Runner, Session } from '../session.ts';
import { logRequests, PageOpener, showRequests } from '../ui/serve-output.ts';

/** `calendar serve`: runs a server until it is interrupted. */
export function build(command: Command, runner: Runner): void {
  addServing(command)
    .option('--json', 'Print the address as a line of JSON on stdout')
    .option('-q, --quiet', "Don't log requests")
    .addOption(advanced(new Option('--open', 'Open the page in a browser')))
    .addOption(advanced(new Option('--detach', 'Return when the server is ready; calendar stop ends it')))
    // The process that --detach starts.
    .addOption(new Option('--detached').hideHelp())
    .action(
      runner.action(
        async (own, _args, given, command) => {
          if (given.detach) return (await import('../serving/detached.ts')).serveDetached(own, Boolean(given.json));
          const { session, options } = await withConfigured(own, command, given as unknown as ServeOptions);
          return serve(session, {
            ...options,
            json: Boolean(given.json || given.detached),
            isDetached: Boolean(given.detached),
            port: Number(options.port ?? defaultPort(session.terminal)),
          });
        },
        { graceful: true },
      ),
    );
}

interface Options extends ServeOptions {
  json: boolean;
  quiet?: boolean;
  open?: boolean;
  isDetached: boolean;
}

async function serve(session: Session, options: Options): Promise<number> {
  const { stdin, stdout } = session.terminal;
  const { lockPort } = await import('../../store/file/lock.ts');
  const pageToken = randomBytes(16).toString('base64url');
  let unlock = async () => {};
  try {
    const work = async (served: WatchedServer) => {
      unlock = await lockPort(served.listening.port, served.root);
      const opener = new PageOpener(served, session, options);
      try {
        if (options.open) await opener.open();
        const isScreen = !options.json && stdin.isTTY && stdout.isTTY;
        await (isScreen ? showRequests(served, session, options, opener) : logRequests(served, session, options));
      } finally {
        opener.close();
      }
    };
    await whileServed(session, { ...options, pageToken }, work, { waits: options.isDetached });
  } finally {
    await unlock();
  }
  return 0;
}
