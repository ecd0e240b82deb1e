import type { Command, CommanderError } from 'commander';
import project from '../../package.json' with { type: 'json' };
import { exitCodes } from '../model/error.ts';
import { failureOf, jsonOf, messageOf } from './message.ts';
import { Shell } from './shell.ts';
import { Interrupted, type Terminal, tolerate, Unread, write } from './terminal.ts';

const signals: Record<string, number> = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 };

/** The whole command line: reads arguments (without `node` and the script), writes to the terminal, gives the exit code. Never rejects. */
export async function main(args: readonly string[], terminal: Terminal): Promise<number> {
  const calm = [tolerate(terminal.stdout), tolerate(terminal.stderr)];
  try {
    return await run(plainArgs(args), terminal);
  } catch (error) {
    // Nobody reads any more: that is no failure of the command.
    return error instanceof Unread ? exitCodes.ok : exitCodes.unexpected;
  } finally {
    for (const stop of calm) stop();
  }
}

async function run(args: readonly string[], terminal: Terminal): Promise<number> {
  if (args.length === 1 && (args[0] === '--version' || args[0] === '-V')) {
    await write(terminal.stdout, `${project.version}\n`);
    return exitCodes.ok;
  }
  const spoken = { out: '' };
  let program: Command | undefined;
  try {
    const { programFor } = await import('./program.ts');
    const shell = new Shell(terminal);
    program = programFor(shell, spoken);
    await program.parseAsync(args, { from: 'user' });
    return shell.exit;
  } catch (error) {
    if (error instanceof Unread) throw error;
    if (error instanceof Interrupted) return signals[error.signal] ?? exitCodes.unexpected;
    if (program && isCommander(error)) {
      if (!spoken.out) return failed((await import('./usage.ts')).usageFailure(error, program, before(args)), args, terminal);
      await write(terminal.stdout, spoken.out);
      return exitCodes.ok;
    }
    return failed(error, args, terminal);
  }
}

const isCommander = (error: unknown): error is CommanderError =>
  error instanceof Error && String((error as Partial<CommanderError>).code).startsWith('commander.');

/** Says on stderr what went wrong: for programs where they asked for JSON, else for people. Gives the exit code. */
async function failed(error: unknown, args: readonly string[], terminal: Terminal): Promise<number> {
  const failure = failureOf(error);
  const color = has(args, '--no-color') ? false : has(args, '--color') ? true : undefined;
  await write(terminal.stderr, has(args, '--json') ? jsonOf(failure) : messageOf(failure, terminal.stderr, terminal.env, color));
  if (failure.code === 'unexpected-failure' && has(args, '-v', '--verbose') && error instanceof Error)
    await write(terminal.stderr, `${error.stack}\n`);
  return failure.exit;
}

/** `--json=a,b` written as the two options it stands for; an option whose value is optional would take the next argument for it. */
function plainArgs(args: readonly string[]): string[] {
  const end = before(args).length;
  return args.flatMap((arg, at) => (at < end && arg.startsWith('--json=') ? ['--json', `--fields=${arg.slice(7)}`] : [arg]));
}

const before = (args: readonly string[]) => (args.includes('--') ? args.slice(0, args.indexOf('--')) : args);
const has = (args: readonly string[], ...names: string[]): boolean => before(args).some((arg) => names.includes(arg));
