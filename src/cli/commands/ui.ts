import { PassThrough } from 'node:stream';
import type { Command } from 'commander';
import { Failure } from '../../model/error.ts';
import type { Query } from '../../model/fields/list.ts';
import { colorsOf } from '../days/display.ts';
import { addDisplayOptions, displayFor, eventQuery, zoneNote } from '../days/options.ts';
import { Interrupted, type Runner, type Session } from '../session.ts';
import { ownSequence, screenOf } from '../terminal/safe-output.ts';
import { clockOf } from '../terminal/terminal.ts';
import { LazyConnection, Loader } from '../ui/loader.ts';

/** `calendar ui`. */
export function build(command: Command, runner: Runner): void {
  addDisplayOptions(command).action(runner.action((session, _args, options) => run(session, options), { graceful: true }));
}

// Alternate screen, bracketed paste, and mouse buttons as SGR reports.
const enter = '\x1b[?1049h\x1b[?2004h\x1b[?1000h\x1b[?1006h';
const leave = '\x1b[?1006l\x1b[?1000l\x1b[?2004l\x1b[?1049l\x1b[?25h';

/** Delay before the message that the calendar is being opened, in ms. */
const connectingMs = 200;

async function run(session: Session, options: Record<string, unknown>): Promise<undefined> {
  const { stdin, stdout, env, interrupted } = session.terminal;
  if (!stdin.isTTY || !stdout.isTTY || env.TERM === 'dumb')
    throw new Failure('bad-request', 'calendar ui requires a terminal', 'Use calendar agenda, calendar month or calendar next.');
  // In the bundle, react is a CommonJS module with its names below `default`.
  const [{ render }, { default: react }, { App }] = await Promise.all([import('ink'), import('react'), import('../ui/app.tsx')]);
  const { connect } = await import('../connect/connect.ts');
  // Notices on stderr would overwrite the screen.
  const quiet = { ...session.terminal, stderr: new PassThrough().resume() };
  // A server's clock may be frozen.
  let clock = clockOf(session.terminal, session.globals.now);
  let here: string | undefined;
  let query: Query | undefined;
  const lazy = new LazyConnection(
    async (mode) => {
      const connection = await connect(session.globals, quiet, mode);
      clock = await connection.clock();
      here ??= await connection.zone();
      query ??= await eventQuery(options, connection);
      return connection;
    },
    () => session.terminal.now(),
  );
  // Fail before the screen is drawn if the calendar can't be opened.
  const calendar = lazy.calendar();
  const notice = setTimeout(() => void session.tell(`calendar: Connecting to ${session.globals.url ?? 'the calendar'} …`), connectingMs);
  await calendar.events.list({ per_page: '1' }).finally(() => clearTimeout(notice));
  const baseDisplay = displayFor(session, options);
  const colorOf = baseDisplay.color ? await colorsOf(calendar) : undefined;
  const display = { ...baseDisplay, now: clock(), here: here ?? baseDisplay.here, colorOf };
  const app = react.createElement(App, {
    calendar,
    loader: new Loader(calendar, query, () => lazy.close()),
    display: { ...display, note: zoneNote(display) },
    clock: () => clock(),
  });
  stdout.write(ownSequence(enter));
  try {
    const screen = render(app, { stdin: stdin as NodeJS.ReadStream, stdout: screenOf(stdout) as NodeJS.WriteStream, exitOnCtrlC: false });
    const stop = () => screen.unmount();
    interrupted.addEventListener('abort', stop, { once: true });
    await screen.waitUntilExit();
  } finally {
    stdout.write(ownSequence(leave));
    await lazy.close();
  }
  if (interrupted.aborted) throw new Interrupted(String(interrupted.reason));
  return undefined;
}
