import { randomBytes } from 'node:crypto';
import { fstatSync } from 'node:fs';
import { type Command, Option } from 'commander';
import { Failure } from '../../model/error.ts';
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
    .addOption(
      advanced(
        new Option('--until-stdin-closes', 'Stop when stdin, which must be a pipe, closes: with the process that started the server'),
      ),
    )
    // The process that --detach starts.
    .addOption(new Option('--detached').hideHelp())
    .action(
      runner.action(
        async (own, _args, given, command) => {
          if (given.untilStdinCloses) checkStdin(own, given);
          if (given.detach) return (await import('../serving/detached.ts')).serveDetached(own, Boolean(given.json));
          return withConfigured(own, command, given as unknown as ServeOptions, (session, options) =>
            serve(session, {
              ...options,
              json: Boolean(given.json || given.detached),
              isDetached: Boolean(given.detached),
              port: Number(options.port ?? defaultPort(session.terminal)),
            }),
          );
        },
        { graceful: true },
      ),
    );
}

/** Throws `bad-request` if stdin is something that never closes, has closed already, or has another use. */
function checkStdin({ terminal: { stdin }, globals }: Session, given: Record<string, unknown>): void {
  const other = [
    ...(given.detach ? ['--detach'] : []),
    ...(given.seed === '-' ? ['--seed -'] : []),
    ...(globals.passwordStdin ? ['--password-stdin'] : []),
  ];
  if (other.length) throw new Failure('bad-request', `Use either --until-stdin-closes or ${other[0]}, not both`);
  const { fd } = stdin as { fd?: number };
  const stat = fd === undefined ? undefined : fstatSync(fd);
  if (stdin.isTTY || (stat && !stat.isFIFO() && !stat.isSocket()))
    throw stdinFailure(stdin.isTTY ? 'a terminal' : stat!.isFile() ? 'a file' : 'a device like /dev/null');
}

const stdinFailure = (kind: string) =>
  new Failure(
    'bad-request',
    `--until-stdin-closes needs a pipe as stdin, and it is ${kind}`,
    'Start the server with a pipe that stays open, like subprocess.PIPE of Python.',
  );

/** Returns a signal that aborts when stdin closes, or with another signal. */
function endOfStdin({ stdin, interrupted }: Session['terminal']): AbortSignal {
  const end = new AbortController();
  for (const event of ['end', 'close', 'error']) stdin.once(event, () => end.abort('SIGTERM'));
  stdin.resume();
  return AbortSignal.any([interrupted, end.signal]);
}

interface Options extends ServeOptions {
  untilStdinCloses?: boolean;
  json: boolean;
  quiet?: boolean;
  open?: boolean;
  isDetached: boolean;
}

async function serve(own: Session, { untilStdinCloses, ...options }: Options): Promise<number> {
  const interrupted = untilStdinCloses ? endOfStdin(own.terminal) : own.terminal.interrupted;
  const session = untilStdinCloses ? { ...own, terminal: { ...own.terminal, interrupted } } : own;
  const { stdin, stdout } = session.terminal;
  const { lockPort } = await import('../../store/file/lock.ts');
  const pageToken = randomBytes(16).toString('base64url');
  let unlock = async () => {};
  try {
    const work = async (served: WatchedServer) => {
      if (interrupted.aborted && !own.terminal.interrupted.aborted) throw stdinFailure('closed');
      unlock = await lockPort(served.listening.port, served.root, options.isDetached ? session.terminal.cwd : undefined);
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
