import { spawn } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { constants } from 'node:os';
import { basename, dirname, resolve } from 'node:path';
import { type Command, InvalidArgumentError } from 'commander';
import project from '../../../package.json' with { type: 'json' };
import { sharedServers, withServer } from '../../data/shared-servers.ts';
import { addressesOf } from '../../model/addresses.ts';
import { systemReason } from '../../model/error.ts';
import type { CalendarControl } from '../../model/operations/all.ts';
import { withConfigured } from '../serving/configured.ts';
import { addServing, type ServeOptions } from '../serving/options.ts';
import { type WatchedServer, whileServed } from '../serving/server.ts';
import { Interrupted, type Runner, type Session } from '../session.ts';
import { type Terminal, variable } from '../terminal/terminal.ts';

interface ExecOptions extends Omit<ServeOptions, 'port'> {
  port?: number;
  env?: [string, string][];
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
    .action(
      runner.action(
        async (own, [words], given, command) => {
          const { session, options } = await withConfigured(own, command, given as unknown as ExecOptions, { shapeOnly: true });
          return exec(session, words as string[], options);
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

/** Serves in memory on a free port by default. Returns the exit code of the command, as a shell does. */
function exec(session: Session, words: string[], { env = [], ...options }: ExecOptions): Promise<number> {
  const memory = options.memory ?? session.globals.db === undefined;
  const work = async ({ listening, root, control }: WatchedServer) => {
    const addresses = addressesOf(root);
    const values: Record<string, string> = { ...addresses, port: String(listening.port) };
    const more = env.map(([name, text]) => [name, text.replace(/\{(url|control|root|port)\}/g, (_, word: string) => values[word]!)]);
    // Files of tests make worlds of this server, whose clock would be its own.
    const shares = session.globals.now === undefined && variable(session.terminal, 'CALENDAR_NOW') === undefined;
    const shape = { ...options, namespace: session.globals.namespace };
    const shared = shares ? { [sharedServers]: withServer(undefined, root, shape) } : {};
    const code = await run(words, { ...variablesOf(addresses), ...shared, ...Object.fromEntries(more) }, session);
    if (code !== 0) await reportFailure(control, session);
    await reportHints(control, session);
    return code;
  };
  return whileServed(session, { ...options, memory, port: options.port ?? 0 }, work, { waits: true });
}

/** The variables that a command finds a calendar by. */
const variablesOf = ({ url, control, root }: ReturnType<typeof addressesOf>): Record<string, string> => ({
  CALENDAR_URL: url,
  CALENDAR_CONTROL_URL: control,
  CALENDAR_ROOT_URL: root,
});

/** Prints what explains the failure of a command, and writes its requests to the folder in CALENDAR_ARTIFACTS, if it is set. */
async function reportFailure(control: CalendarControl, { terminal, tell }: Session): Promise<void> {
  const [{ faults }, { requests }] = await Promise.all([control.faults({}), control.requests({})]);
  const { reportLines } = await import('../../model/operations/test-report.ts');
  const lines = reportLines({ faults, requests });
  const folder = variable(terminal, 'CALENDAR_ARTIFACTS');
  if (folder !== undefined) {
    const { toHar } = await import('../../model/formats/har.ts');
    const file = resolve(terminal.cwd, folder, 'calendar.har');
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, JSON.stringify(toHar(requests, project.version)));
    lines.push(`requests: ${file}`);
  }
  if (lines.length) await tell(['calendar: The command failed. The calendar at its end:', ...lines.map((line) => `  ${line}`)].join('\n'));
}

/** Prints the mistakes of clients in all worlds, also if the command succeeded. */
async function reportHints(control: CalendarControl, { tell }: Session): Promise<void> {
  const { hints } = await control.hints({ all: true });
  if (!hints.length) return;
  const { hintLines, hintTitle } = await import('../../model/mistakes/hints.ts');
  await tell([hintTitle, ...hintLines(hints).map((line) => `  ${line}`)].join('\n'));
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
