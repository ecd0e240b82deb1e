import { Writable } from 'node:stream';
import { Failure } from '../../model/error.ts';
import { escapeControls, screenOf } from './safe-output.ts';
import { type InputStream, Interrupted, type Terminal, write } from './terminal.ts';

const consumed = new WeakSet<InputStream>();

/** Prints a notice that `what` is read from the terminal, if standard input is one. */
export async function announceInput({ stdin, stderr }: Terminal, what: string): Promise<void> {
  if (stdin.isTTY) await write(stderr, `calendar: Reading ${what} from the terminal. Press Ctrl-D to end.\n`);
}

/** Reads standard input as text. Throws `bad-request` the second time. */
export async function readAll(terminal: Terminal, what: string): Promise<string> {
  if (consumed.has(terminal.stdin))
    throw new Failure('bad-request', 'Standard input can only be read once', 'Pass the other input as an argument or a file.');
  consumed.add(terminal.stdin);
  await announceInput(terminal, what);
  const chunks: Buffer[] = [];
  for await (const chunk of terminal.stdin) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString('utf8');
}

/** True if stdin and stderr are terminals, so that prompts are possible. */
export const isAttended = (terminal: Terminal): boolean => terminal.stdin.isTTY === true && terminal.stderr.isTTY === true;

/** Prompts for yes or no on stderr. */
export const confirm = async (terminal: Terminal, question: string): Promise<boolean> => (await answerTo(terminal, question)) === 'yes';

/** Prompts for yes, no or `only`, a part of it. */
export async function answerTo(terminal: Terminal, question: string, only?: string): Promise<'yes' | 'no' | 'only'> {
  const answer = (await ask(terminal, screenOf(terminal.stderr), `${question} ${only ? `[y/N/o = ${only}]` : '[y/N]'} `)).trim();
  if (/^y(es)?$/i.test(answer)) return 'yes';
  return only && /^o(nly)?$/i.test(answer) ? 'only' : 'no';
}

/**
 * Prompts before a destructive change, unless `yes` is given. Throws `bad-request` without a terminal, with `--yes` as the hint. Returns whether to
 * continue.
 */
export async function agreed(terminal: Terminal, question: string, yes = false): Promise<boolean> {
  if (yes) return true;
  if (isAttended(terminal)) return confirm(terminal, question);
  throw new Failure('bad-request', `Confirmation required: ${question}`, 'Pass --yes.');
}

/**
 * Prompts for text without echo; empty after Ctrl-D. Uses `node:readline`, since `@inquirer/password` never settles after Ctrl-D and drops early
 * input.
 */
export async function askSecret(terminal: Terminal, question: string): Promise<string> {
  terminal.stderr.write(question);
  try {
    return await ask(terminal, new Writable({ write: (_chunk, _encoding, done) => done() }), '');
  } finally {
    terminal.stderr.write('\n');
  }
}

/** Reads a line from a terminal, echoed to `output`; empty at the end of input. Rejects with {@link Interrupted} on Ctrl-C. */
async function ask({ stdin }: Terminal, output: NodeJS.WritableStream, question: string): Promise<string> {
  const { createInterface } = await import('node:readline/promises');
  const lines = createInterface({ input: stdin, output, terminal: true });
  try {
    return await new Promise((resolve, reject) => {
      lines.once('SIGINT', () => reject(new Interrupted('SIGINT')));
      lines.once('close', () => resolve(''));
      lines.question(escapeControls(question)).then(resolve, reject);
    });
  } finally {
    lines.close();
  }
}
