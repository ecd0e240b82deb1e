import { PassThrough } from 'node:stream';
import type { Command } from 'commander';
import { Failure } from '../../model/error.ts';
import { addLooking, lookFor, narrowed } from '../look/looking.ts';
import { Interrupted, type Session, type Shell } from '../shell.ts';
import { clockOf } from '../terminal.ts';
import { Loader } from './load.ts';
import { Turns } from './turns.ts';

/** `calendar ui`. */
export function build(command: Command, shell: Shell): void {
  addLooking(command, ['calendar ui', 'calendar ui --url https://example.org/wp-json']).action(
    shell.action((session, _args, options) => run(session, options), { graceful: true }),
  );
}

const enter = '\x1b[?1049h\x1b[?2004h';
const leave = '\x1b[?2004l\x1b[?1049l\x1b[?25h';

async function run(session: Session, options: Record<string, unknown>): Promise<undefined> {
  const { stdin, stdout, env, interrupted } = session.terminal;
  if (!stdin.isTTY || !stdout.isTTY || env.TERM === 'dumb')
    throw new Failure('bad-request', 'calendar ui needs a terminal', {}, 'Try calendar agenda, calendar month or calendar next.');
  // In the bundle react, which is no ES module, has its names only below its default.
  const [{ render }, { default: react }, { App }] = await Promise.all([import('ink'), import('react'), import('./app.tsx')]);
  const { connect } = await import('../connect.ts');
  // Notices would be written into the picture.
  const quiet = { ...session.terminal, stderr: new PassThrough().resume() };
  // That of the calendar, once there is a connection: a server's may stand still.
  let clock = clockOf(session.terminal, session.globals.now);
  const turns = new Turns(
    async (mode) => {
      const connection = await connect(session.globals, quiet, mode);
      clock = connection.now;
      return connection;
    },
    () => session.terminal.now(),
  );
  // A calendar that cannot be reached at all is a failure of the command, not of the screen.
  const calendar = turns.calendar();
  await calendar.events.list({ per_page: '1' });
  const app = react.createElement(App, {
    calendar,
    loader: new Loader(calendar, narrowed(options), () => turns.close()),
    look: { ...lookFor(session, options), now: clock() },
    clock: () => clock(),
  });
  stdout.write(enter);
  try {
    const screen = render(app, { stdin: stdin as NodeJS.ReadStream, stdout: stdout as NodeJS.WriteStream, exitOnCtrlC: false });
    const stop = () => screen.unmount();
    interrupted.addEventListener('abort', stop, { once: true });
    await screen.waitUntilExit();
  } finally {
    stdout.write(leave);
    await turns.close();
  }
  if (interrupted.aborted) throw new Interrupted(String(interrupted.reason));
  return undefined;
}
