import type { Command, CommanderError } from 'commander';
import project from '../../package.json' with { type: 'json' };
import { exitCodes } from '../model/error.ts';
import type { Resources } from '../model/resources/declared.ts';
import { failureJson, failureMessage, failureOf } from './failure-message.ts';
import type { Program } from './program.ts';
import { withSafeOutputs } from './terminal/safe-output.ts';
import { Interrupted, ignoreErrors, OutputClosed, type Terminal, write } from './terminal/terminal.ts';

const signals: Record<string, number> = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 };

/** Runs the command line: `args` without `node` and the script. Returns the exit code; never rejects. */
export async function main(args: readonly string[], given: Terminal): Promise<number> {
  const end = args.includes('--') ? args.indexOf('--') : args.length;
  const own = splitJsonFields(args.slice(0, end));
  const restoreErrors: (() => void)[] = [];
  const terminal = withSafeOutputs(given);
  try {
    if (own.some((word) => !word.startsWith('-'))) (await import('./connect/compile-early.ts')).compileEarly(own, terminal);
    restoreErrors.push(ignoreErrors(terminal.stdout), ignoreErrors(terminal.stderr));
    return await run(own, args.slice(end), terminal);
  } catch (error) {
    // A reader that closed the pipe is not an error.
    if (error instanceof OutputClosed) return exitCodes.ok;
    if (error instanceof Interrupted) return signals[error.signal] ?? exitCodes.unexpected;
    return reportFailure(error, own, terminal);
  } finally {
    for (const restore of restoreErrors) restore();
  }
}

/** Runs a command: its arguments, and those from `--` on. Once more with the declared fields of the calendar if it uses an unknown option or field. */
async function run(args: readonly string[], rest: readonly string[], terminal: Terminal, resources?: Resources): Promise<number> {
  if (args.length === 1 && !rest.length && ['--version', '-V', 'version'].includes(args[0]!)) {
    await write(terminal.stdout, `${project.version}\n`);
    return exitCodes.ok;
  }
  if (!rest.length && ['--version --json', '--json --version', '-V --json', 'version --json'].includes(args.join(' '))) {
    const { programFacts } = await import('./program-facts.ts');
    await write(terminal.stdout, `${JSON.stringify(await programFacts())}\n`);
    return exitCodes.ok;
  }
  let program: Program | undefined;
  try {
    const { Program } = await import('./program.ts');
    // What was started in the background goes on.
    await new Promise((resolve) => setImmediate(resolve));
    program = new Program(terminal, args, resources);
    await program.root.parseAsync([...args, ...rest], { from: 'user' });
    await write(terminal.stdout, program.output);
    return program.exit;
  } catch (error) {
    const declared = program && !resources && (await declaredFor(error, program.root, args, terminal));
    if (declared) return run(args, rest, terminal, declared);
    if (!program || !isCommander(error)) throw error;
    if (!program.output) {
      const { usageFailure } = await import('./usage-errors.ts');
      throw await usageFailure(error, program, args);
    }
    await write(terminal.stdout, program.output);
    return exitCodes.ok;
  }
}

/** The resources with declared fields, if an unknown option or field may be one of these. */
async function declaredFor(error: unknown, root: Command, args: readonly string[], terminal: Terminal): Promise<Resources | undefined> {
  const [{ UnknownField }, { resourceNames }] = await Promise.all([import('./options.ts'), import('../model/resources/names.ts')]);
  const isUnknownOption = isCommander(error) && error.code === 'commander.unknownOption';
  if (!isUnknownOption && !(error instanceof UnknownField)) return undefined;
  const [{ commandAt }, { globalsOf }] = await Promise.all([import('./usage-errors.ts'), import('./global-options.ts')]);
  const command = commandAt(root, args);
  const isOnRecords = resourceNames.some((name) => name === command.parent?.name());
  if (!isOnRecords && !(error instanceof UnknownField)) return undefined;
  const { declaredResources } = await import('./connect/declared.ts');
  return declaredResources(globalsOf(command), terminal);
}

const isCommander = (error: unknown): error is CommanderError =>
  error instanceof Error && String((error as Partial<CommanderError>).code).startsWith('commander.');

/** Prints a failure to stderr, as JSON with `--json`. Returns the exit code. */
async function reportFailure(error: unknown, args: readonly string[], terminal: Terminal): Promise<number> {
  const failure = failureOf(error);
  const color = has(args, '--no-color') ? false : has(args, '--color') ? true : undefined;
  const text = has(args, '--json') ? failureJson(failure) : failureMessage(failure, terminal.stderr, terminal.env, color);
  const hasStack = failure.code === 'unexpected-failure' && has(args, '-v', '--verbose') && error instanceof Error;
  const stack = hasStack ? `${(await terminal.stackOf?.(error)) ?? error.stack}\n` : '';
  await write(terminal.stderr, text + stack).catch(() => {});
  return failure.exit;
}

/** Matches several fields, as in `--json id,title`: IDs and slugs have no comma. */
const fieldNames = /^[a-z]\w*(\.\w+)*(,[a-z]\w*(\.\w+)*)+$/i;

/** Splits `--json=a,b` and `--json a,b` into `--json --fields=a,b`, since an option with an optional value would take the next argument. */
function splitJsonFields(args: readonly string[]): string[] {
  return args.flatMap((arg, at) => {
    if (arg.startsWith('--json=')) return ['--json', `--fields=${arg.slice(7)}`];
    return args[at - 1] === '--json' && fieldNames.test(arg) ? [`--fields=${arg}`] : [arg];
  });
}

const has = (args: readonly string[], ...names: string[]): boolean => args.some((arg) => names.includes(arg));
