import { Writable } from 'node:stream';
import { Failure } from '../../model/error.ts';
import { type InputStream, Interrupted, type Terminal, write } from './terminal.ts';

const consumed = new WeakSet<InputStream>();

/** Says on stderr that a command waits for what is typed, where standard input is a terminal. `what` is read from there. */
export async function tellWaiting({ stdin, stderr }: Terminal, what: string): Promise<void> {
  if (stdin.isTTY) await write(stderr, `calendar: reading ${what} from the terminal; ctrl-d ends it\n`);
}

/** All of standard input, as text: `what` is for a person who has to type it. Fails the second time: two things cannot come from there. */
export async function readAll(terminal: Terminal, what: string): Promise<string> {
  if (consumed.has(terminal.stdin))
    throw new Failure('bad-request', 'stdin can be read for one thing only', {}, 'Give the other as an argument or from a file.');
  consumed.add(terminal.stdin);
  await tellWaiting(terminal, what);
  const chunks: Buffer[] = [];
  for await (const chunk of terminal.stdin) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString('utf8');
}

/** Whether a person can be asked: stdin and stderr are both terminals. */
export const isAttended = (terminal: Terminal): boolean => terminal.stdin.isTTY === true && terminal.stderr.isTTY === true;

/** Asks yes or no on stderr; anything but a yes is a no. */
export async function confirm(terminal: Terminal, question: string): Promise<boolean> {
  const answer = await ask(terminal, terminal.stderr, `${question} [y/N] `);
  return /^y(es)?$/i.test(answer.trim());
}

/**
 * Asks before something is destroyed, unless `yes` says that it is agreed: every command that destroys asks through here. Fails without a terminal to
 * ask on, and says there that `--yes` is wanted. A command that was given the name of one thing may pass `yes` where nobody can be asked.
 */
export async function agreed(terminal: Terminal, question: string, yes = false): Promise<boolean> {
  if (yes) return true;
  if (isAttended(terminal)) return confirm(terminal, question);
  throw new Failure('bad-request', `no terminal to confirm on: ${question}`, {}, 'Give --yes.');
}

/**
 * Asks for a text that is not shown while it is typed; empty after ctrl-d. On `node:readline`, since `@inquirer/password` never settles
 * after ctrl-d and drops what was typed before its first drawing.
 */
export async function askSecret(terminal: Terminal, question: string): Promise<string> {
  terminal.stderr.write(question);
  try {
    return await ask(terminal, new Writable({ write: (_chunk, _encoding, done) => done() }), '');
  } finally {
    terminal.stderr.write('\n');
  }
}

/** One line from a terminal, which echoes to `output`; empty at the end of input. Fails with {@link Interrupted} on ctrl-c. */
async function ask({ stdin }: Terminal, output: NodeJS.WritableStream, question: string): Promise<string> {
  const { createInterface } = await import('node:readline/promises');
  const lines = createInterface({ input: stdin, output, terminal: true });
  try {
    return await new Promise((resolve, reject) => {
      lines.once('SIGINT', () => reject(new Interrupted('SIGINT')));
      lines.once('close', () => resolve(''));
      lines.question(question).then(resolve, reject);
    });
  } finally {
    lines.close();
  }
}
