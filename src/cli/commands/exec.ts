import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { basename, resolve } from 'node:path';
import { type Command, InvalidArgumentError } from 'commander';
import { sharedServers, withServer } from '../../data/shared-servers.ts';
import { addressesOf } from '../../model/addresses.ts';
import { Failure, systemReason } from '../../model/error.ts';
import { withConfigured } from '../serving/configured.ts';
import { addServing, type ServeOptions } from '../serving/options.ts';
import { type WatchedServer, whileServed } from '../serving/server.ts';
import { Interrupted, type Runner, type Session } from '../session.ts';
import { type Terminal, variable } from '../terminal/terminal.ts';

interface ExecOptions extends Omit<ServeOptions, 'port'> {
  port?: number;
  env?: [string, string][];
  minCoverage?: number;
}

/** `calendar exec`: runs a command with a temporary server. */
export function build(command: Command, runner: Runner): void {
  addServing(command, 'default 0')
    .passThroughOptions()
    .argument('<command...>', 'Command to run, after --')
    .option(
      '--env <pair>',
      'Set a variable for the command, e.g. API={url}; {url}, {control}, {root} and {port} are replaced (repeatable)',
      pair,
    )
    .option('--min-coverage <percent>', 'Exit with 6 if the app met a smaller share of the variants of --coverage', percent)
    .action(
      runner.action(
        async (own, [words], given, command) => {
          const work = (session: Session, options: ExecOptions) => exec(session, words as string[], options);
          return withConfigured(own, command, given as unknown as ExecOptions, work, { shapeOnly: true });
        },
        { graceful: true },
      ),
    );
}

function pair(text: string, before: [string, string][] = []): [string, string][] {
  const at = text.indexOf('=');
  if (at < 1) throw new InvalidArgumentError('Expected a pair like API={url}.');
  return [...before, [text.slice(0, at), text.slice(at + 1)]];
}

function percent(text: string): number {
  const value = Number(text);
  if (/^\d+$/.test(text) && value <= 100) return value;
  throw new InvalidArgumentError('Expected a whole number up to 100.');
}

/** Serves in memory on a free port by default. Returns the exit code of the command, as a shell does. */
async function exec(session: Session, words: string[], { env = [], minCoverage, ...options }: ExecOptions): Promise<number> {
  const memory = options.memory ?? session.globals.db === undefined;
  const { ExecReport, isCi } = await import('../serving/exec-report.ts');
  const lists = options.coverage || minCoverage !== undefined;
  const coverage = lists || isCi(session.terminal.env);
  const work = async ({ listening, root, control, worlds }: WatchedServer) => {
    const addresses = addressesOf(root);
    const values: Record<string, string> = { ...addresses, port: String(listening.port) };
    const more = env.map(([name, text]) => [name, text.replace(/\{(url|control|root|port)\}/g, (_, word: string) => values[word]!)]);
    // Files of tests make worlds of this server, whose clock would be its own.
    const shares = session.globals.now === undefined && variable(session.terminal, 'CALENDAR_NOW') === undefined;
    const shape = { ...options, namespace: new URL(root).pathname.slice(options.basePath.length) };
    const shared = shares ? { [sharedServers]: withServer(undefined, root, shape) } : {};
    const artifacts = variable(session.terminal, 'CALENDAR_ARTIFACTS');
    const report = new ExecReport(worlds, artifacts === undefined ? undefined : resolve(session.terminal.cwd, artifacts));
    try {
      const code = await run(
        words,
        {
          ...variablesOf(addresses),
          ...proxyExceptions(session.terminal.env, new URL(root).hostname),
          ...shared,
          ...Object.fromEntries(more),
        },
        session,
      );
      const { text, below } = await report.text(control, code !== 0, coverage ? { lists, minimum: minCoverage } : undefined);
      if (text !== '') await session.tell(text);
      if (below === undefined || code !== 0) return code;
      throw new Failure('verification-failed', below);
    } finally {
      await report.close();
    }
  };
  return whileServed(session, { ...options, coverage, memory, port: options.port ?? 0 }, work, { waits: true });
}

/** The variables that a command finds a calendar by. */
const variablesOf = ({ url, control, root }: ReturnType<typeof addressesOf>): Record<string, string> => ({
  CALENDAR_URL: url,
  CALENDAR_CONTROL_URL: control,
  CALENDAR_ROOT_URL: root,
});

/** The variables that keep requests to a server on this machine from a proxy; none without a proxy. Clients read either of both, and a star has to stay alone. */
function proxyExceptions(env: Terminal['env'], host: string): Record<string, string> {
  const proxies = ['http_proxy', 'https_proxy', 'all_proxy'].flatMap((name) => [env[name], env[name.toUpperCase()]]);
  if (!proxies.some(Boolean)) return {};
  const exceptions = [env.NO_PROXY, env.no_proxy].flatMap((text) => (text ?? '').split(/[\s,]+/).filter(Boolean));
  const hosts = exceptions.includes('*')
    ? ['*']
    : [...new Set([...exceptions, '127.0.0.1', 'localhost', '::1', host.replace(/^\[|\]$/g, '')])];
  return { NO_PROXY: hosts.join(','), no_proxy: hosts.join(',') };
}

/** Runs a command with our streams. Signals are passed on, and the server stops when the command ends. */
function run([name = '', ...args]: string[], env: Record<string, string>, { terminal, tell }: Session): Promise<number> {
  const { interrupted, stdout, stderr } = terminal;
  if (interrupted.aborted) return Promise.reject(new Interrupted(String(interrupted.reason)));
  return new Promise((resolve) => {
    let release = () => {};
    const end = (code: number) => {
      release();
      resolve(code);
    };
    const fail = (error: NodeJS.ErrnoException) => {
      // A search ends with EACCES if it met a folder of PATH that it may not read.
      const missing = name === '' || error.code === 'ENOENT' || (error.code === 'EACCES' && name === basename(name));
      void tell(`calendar: ${name || "''"}: ${missing ? 'command not found' : systemReason(error)}`).finally(() =>
        end(missing ? 127 : 126),
      );
    };
    try {
      const child = spawn(name, args, { stdio: 'inherit', cwd: terminal.cwd, env: { ...terminal.env, ...env } });
      release = takeSignals(terminal, (signal) => {
        // A terminal sends SIGINT to the whole foreground group.
        if (signal !== 'SIGINT' || ![stdout, stderr, terminal.stdin].some(({ isTTY }) => isTTY)) child.kill(signal);
      });
      child.on('error', fail);
      child.on('exit', (code, signal) => end(code ?? 128 + constants.signals[signal!]));
    } catch (error) {
      // Thrown for an invalid command, before a process is created.
      fail(error as NodeJS.ErrnoException);
    }
  });
}

/** Passes signals to a listener until the returned function is called. */
function takeSignals(terminal: Terminal, listener: (signal: NodeJS.Signals) => void): () => void {
  if (terminal.takeSignals) return terminal.takeSignals(listener);
  const { interrupted } = terminal;
  const pass = () => listener(interrupted.reason as NodeJS.Signals);
  interrupted.addEventListener('abort', pass, { once: true });
  return () => interrupted.removeEventListener('abort', pass);
}
