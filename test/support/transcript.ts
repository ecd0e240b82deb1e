import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { PassThrough, Readable, Writable } from 'node:stream';
import { main } from '../../src/cli/main.ts';
import type { InputStream, OutputStream, Terminal } from '../../src/cli/terminal/terminal.ts';
import { runMark } from './run-mark.ts';

/** The output of a command, and its exit code. */
export interface Transcript {
  stdout: string;
  stderr: string;
  exit: number;
}

/** The environment of a command. */
export interface Given {
  stdin?: string;
  env?: Record<string, string>;
  cwd?: string;
  /** Columns of a terminal on stdout and stderr; a pipe when absent. */
  columns?: number;
  /** The command that runs the program, with its script. */
  self?: readonly string[];
  /** A person types what stdin holds. */
  typing?: boolean;
  /** Keeps the notice of a new file in stderr. */
  withNotices?: boolean;
  interrupted?: AbortSignal;
  takeRejections?: Terminal['takeRejections'];
  /** Takes what is written on stdout in place of the transcript. */
  stdout?: OutputStream;
  /** Takes what is written on stderr. */
  stderr?: OutputStream;
}

/** The moment at which all transcripts take place. */
export const moment = '2026-11-20T16:05:00Z';

/** A folder for the files of one test file, and the function that deletes it. */
export function folder(): { path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), 'calendar-cli-'));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

class Kept extends Writable {
  text = '';
  isTTY?: boolean;
  columns?: number;
  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.text += chunk.toString();
    done();
  }
}

function kept(columns: number | undefined): Kept {
  const output = new Kept();
  if (columns !== undefined) Object.assign(output, { isTTY: true, columns, rows: 24 });
  return output;
}

const environmentOf = (given: Given): Record<string, string | undefined> => ({
  HOME: given.cwd,
  CALENDAR_NOW: moment,
  LANG: 'en_US.UTF-8',
  TZ: 'UTC',
  // No server listens on it, which a command without a calendar would suggest.
  PORT: '9',
  ...given.env,
});

/** The built bundle in place of this process: `CALENDAR_BUNDLE=dist/calendar.js npx vitest run test/cli`. */
const bundle = process.env.CALENDAR_BUNDLE && resolve(process.env.CALENDAR_BUNDLE);

function runBundle(file: string, args: readonly string[], given: Given): Promise<Transcript> {
  const env = { ...runMark, PATH: process.env.PATH, ...environmentOf(given) } as NodeJS.ProcessEnv;
  const child = spawn(process.execPath, [file, ...args], { cwd: given.cwd ?? tmpdir(), env });
  const said = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const)
    child[name].setEncoding('utf8').on('data', (text: string) => {
      said[name] += text;
    });
  child.stdin.on('error', () => {});
  child.stdin.end(given.stdin ?? '');
  return new Promise((done, fail) => {
    child.on('error', fail);
    child.on('close', (code, signal) => (signal ? fail(new Error(signal)) : done({ ...said, exit: code! })));
  });
}

/** Runs the command line as `calendar ARGS` in a separate folder would: in this process, or with the built bundle where possible. */
export async function run(args: readonly string[], given: Given = {}): Promise<Transcript> {
  const { stdout, stderr, exit } = await transcriptOf(args, given);
  return { stdout, stderr: given.withNotices ? stderr : stderr.replace(/^calendar: Created .* with the time zone .*\n/gm, ''), exit };
}

async function transcriptOf(args: readonly string[], given: Given): Promise<Transcript> {
  const inside =
    given.self || given.columns !== undefined || given.typing || given.interrupted || given.takeRejections || given.stdout || given.stderr;
  if (bundle && !inside) return runBundle(bundle, args, given);
  const stdout = kept(given.columns);
  const stderr = kept(given.columns);
  const stdin: InputStream = given.typing
    ? Object.assign(new PassThrough(), { isTTY: true })
    : Readable.from(given.stdin ? [Buffer.from(given.stdin)] : []);
  if (given.typing) (stdin as PassThrough).write(given.stdin ?? '');
  const terminal: Terminal = {
    stdin,
    stdout: given.stdout ?? stdout,
    stderr: given.stderr ?? stderr,
    env: environmentOf(given),
    cwd: given.cwd ?? tmpdir(),
    now: () => Date.parse(moment),
    interrupted: given.interrupted ?? new AbortController().signal,
    takeRejections: given.takeRejections,
    self: given.self,
  };
  const exit = await main(args, terminal);
  return { stdout: stdout.text, stderr: stderr.text, exit };
}

const undoLine = /^calendar: (?:Saved snapshot (\S+?)-\d+\. (?:Undo|Redo) with: calendar .*|This calendar has no undo\.)\n/gm;

/** A transcript without how to undo the change, which depends on the calendar: it names a snapshot and how the calendar was selected, or says that one in memory cannot undo. */
export const withoutUndo = (said: Transcript): Transcript => ({ ...said, stderr: said.stderr.replace(undoLine, '') });

/** A transcript with only the kind of a snapshot for undo: its number and how the calendar was selected differ. */
export const withUndoKind = (said: Transcript): Transcript => ({
  ...said,
  stderr: said.stderr.replace(undoLine, (_, kind?: string) => (kind ? `undo ${kind}\n` : 'no undo\n')),
});

/** The words of a command as a shell would read them: blanks separate, single and double quotes hold together. */
export const words = (line: string): string[] =>
  [...line.matchAll(/(?:[^\s'"]+|'[^']*'|"[^"]*")+/g)].map(([word]) =>
    word.replace(/'([^']*)'|"([^"]*)"/g, (_, single, double) => single ?? double),
  );
