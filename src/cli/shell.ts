import type { Command } from 'commander';
import type { Connection, Mode } from './connect.ts';
import type { Globals } from './globals.ts';
import { Interrupted, paintFor, type Terminal, write } from './terminal.ts';

export { Interrupted };

/** What one command holds while it runs. */
export interface Session {
  terminal: Terminal;
  globals: Globals;
  /** The calendar that the options, the environment and the profiles name. It is closed when the command ends. */
  connect(mode: Mode): Promise<Connection>;
  /** Writes to standard output. */
  print(text: string): Promise<void>;
  /** Writes a line to standard error, for people. */
  tell(line: string): Promise<void>;
  /** Writes a line to standard error with `-v` only. */
  note(line: string): Promise<void>;
}

/** What a command does; its number, if it gives one, is the exit code. */
export type Work = (session: Session, args: unknown[], options: Record<string, unknown>, command: Command) => Promise<number | undefined>;

/** One run of the command line: makes actions of commander out of {@link Work}, and keeps the exit code. */
export class Shell {
  exit = 0;
  constructor(readonly terminal: Terminal) {}

  /** An action that opens what its work asks for and closes it at the end. With `graceful` the work itself heeds interruptions. */
  action(work: Work, { graceful = false } = {}): (...given: unknown[]) => Promise<void> {
    return async (...given) => {
      const command = given.at(-1) as Command;
      const open: Connection[] = [];
      const { globalsOf } = await import('./globals.ts');
      const session = sessionOf(this.terminal, globalsOf(command), open);
      try {
        const done = work(session, given.slice(0, -2), given.at(-2) as Record<string, unknown>, command);
        this.exit = (await (graceful ? done : unlessInterrupted(done, this.terminal.interrupted))) ?? 0;
      } finally {
        for (const connection of open) await connection.close();
      }
    };
  }
}

/** A session for one command; what it connects to is added to `open`. */
function sessionOf(terminal: Terminal, globals: Globals, open: Connection[]): Session {
  const tell = (line: string) => write(terminal.stderr, `${line}\n`);
  const note = async (line: string) => {
    if (globals.verbose) await tell(paintFor(terminal.stderr, terminal.env, globals.color).dim(line));
  };
  return {
    terminal,
    globals,
    tell,
    note,
    print: (text) => write(terminal.stdout, text),
    async connect(mode) {
      const { connect } = await import('./connect.ts');
      const connection = await connect(globals, terminal, mode);
      open.push(connection);
      await note(`calendar: ${connection.place}`);
      return connection;
    },
  };
}

function unlessInterrupted<T>(done: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(new Interrupted(String(signal.reason)));
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
    done.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}
