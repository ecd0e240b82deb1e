import type { Command } from 'commander';
import type { Resources } from '../model/resources/declared.ts';
import type { Connection } from './connect/connect.ts';
import type { AccessMode } from './connect/file.ts';
import { type Globals, globalsOf, switchFault } from './global-options.ts';
import { paintFor } from './terminal/safe-output.ts';
import { Interrupted, type Terminal, write } from './terminal/terminal.ts';

export { Interrupted };

/** The environment of a running command. */
export interface Session {
  program: Runner;
  terminal: Terminal;
  globals: Globals;
  /** Opens the calendar that options, environment and profiles select. It is closed when the command ends. */
  connect(mode: AccessMode): Promise<Connection>;
  /** The calendar that was opened last. */
  connection(): Connection;
  /** Writes to stdout. */
  print(text: string): Promise<void>;
  /** Writes a line to stderr with control characters escaped, dimmed if `faint`. */
  tell(line: string, faint?: boolean): Promise<void>;
  /** Writes a line to stderr if `-v` is given. */
  note(line: string): Promise<void>;
}

/** The implementation of a command. Returns the exit code, or undefined for 0. */
export type CommandAction = (
  session: Session,
  args: unknown[],
  options: Record<string, unknown>,
  command: Command,
) => Promise<number | undefined>;

/** The commands of the program. Runs a {@link CommandAction} as an action of commander, and keeps the exit code. */
export abstract class Runner {
  exit = 0;
  /** The program, with its top-level commands. */
  abstract readonly root: Command;
  /** Loads the options, arguments and subcommands of a top-level command. */
  abstract load(command: Command): Promise<void>;
  /** The commands with options for the fields of other resources, such as declared ones. */
  abstract withResources(resources: Resources): Runner;

  constructor(
    readonly terminal: Terminal,
    /** The arguments up to `--`. */
    readonly args: readonly string[] = [],
    /** The resources with the declared fields of the calendar, where the command needs them. */
    readonly resources?: Resources,
  ) {}

  /** Creates an action that closes its connections at the end. With `graceful`, the action handles interruptions; otherwise they abort it. */
  action(work: CommandAction, { graceful = false } = {}): (...given: unknown[]) => Promise<void> {
    return async (...args) => {
      const command = args.at(-1) as Command;
      const open: Connection[] = [];
      const fault = switchFault(command, this.args);
      if (fault) throw fault;
      const session = sessionOf(this, globalsOf(command), open);
      try {
        const done = work(session, args.slice(0, -2), args.at(-2) as Record<string, unknown>, command);
        this.exit = (await (graceful ? done : unlessInterrupted(done, this.terminal.interrupted))) ?? 0;
      } finally {
        for (const connection of open) await connection.close();
      }
    };
  }
}

/** Creates a session whose connections are added to `open`. */
function sessionOf(program: Runner, globals: Globals, open: Connection[]): Session {
  const { terminal } = program;
  const { dim } = paintFor(terminal.stderr, terminal.env, globals.color);
  const tell = (line: string, faint = false) => write(terminal.stderr, `${faint ? dim(line) : line}\n`);
  const note = async (line: string) => {
    if (globals.verbose) await tell(line, true);
  };
  return {
    program,
    terminal,
    globals,
    tell,
    note,
    connection: () => open.at(-1)!,
    print: (text) => write(terminal.stdout, text),
    async connect(mode) {
      const { connect } = await import('./connect/connect.ts');
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
