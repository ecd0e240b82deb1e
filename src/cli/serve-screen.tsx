import { render, Text, useApp, useInput, useStdout } from 'ink';
import { createColors } from 'picocolors';
import { useEffect, useRef, useState } from 'react';
import type { RequestEvent } from '../server/serve.ts';
import { harmless } from './print/plain.ts';
import { cut, pad } from './print/width.ts';
import type { Terminal } from './terminal.ts';

/** A server that is watched. */
export interface Served {
  /** Where it answers. */
  root: string;
  /** Where its calendar is, for people. */
  place: string;
  /** Tells of every request that was answered; gives the way to stop. */
  onRequest(listener: (event: RequestEvent) => void): () => void;
  /** Puts the calendar back to its beginning and says what was done; absent where that is not possible. */
  reset?(): Promise<string>;
  /** Shows the address to the user's browser. */
  open(): Promise<void>;
}

const pause = 50;
const mostAtOnce = 200;

/** A request in one line: method, path, status, milliseconds. */
export function requestLine({ method, path, status, took }: RequestEvent, columns: number, colour: boolean): string {
  const paint = createColors(colour);
  const tint = status >= 500 ? paint.red : status >= 400 ? paint.yellow : status >= 300 ? paint.cyan : paint.green;
  const time = `${took.toFixed(took < 10 ? 1 : 0)} ms`;
  const room = Math.max(10, columns - 7 - 5 - 10);
  return `${pad(harmless(method), 7)}${pad(cut(harmless(path), room), room)} ${tint(String(status))} ${paint.dim(pad(time, 9, 'right'))}`;
}

/** Writes requests above what ink draws, several at a time; what nobody could read is counted instead. */
function useRequests(served: Served, colour: boolean): { count: number; failed: number } {
  const { stdout, write } = useStdout();
  const [counts, setCounts] = useState({ count: 0, failed: 0 });
  const waiting = useRef<RequestEvent[]>([]);
  useEffect(() => {
    const stop = served.onRequest((event) => waiting.current.push(event));
    const timer = setInterval(() => {
      const events = waiting.current.splice(0);
      if (!events.length) return;
      const shown = events.slice(-mostAtOnce);
      const skipped = events.length > shown.length ? `… ${events.length - shown.length} more\n` : '';
      write(skipped + shown.map((event) => `${requestLine(event, stdout.columns || 80, colour)}\n`).join(''));
      setCounts(({ count, failed }) => ({
        count: count + events.length,
        failed: failed + events.filter(({ status }) => status >= 500).length,
      }));
    }, pause);
    return () => {
      clearInterval(timer);
      stop();
    };
  }, [served, stdout, write, colour]);
  return counts;
}

/** The requests of a server as they come, and a line of keys. */
export function ServeScreen({ served, colour }: { served: Served; colour: boolean }) {
  const { exit } = useApp();
  const { stdout } = useStdout();
  const counts = useRequests(served, colour);
  const [asking, setAsking] = useState(false);
  const [notice, setNotice] = useState('');
  const run = (work: Promise<string | undefined>) =>
    work.then(
      (said) => setNotice(said ?? ''),
      (error: unknown) => setNotice(`! ${harmless(error instanceof Error ? error.message : String(error))}`),
    );
  useInput((input, key) => {
    if (input === 'q' || (key.ctrl && input === 'c')) exit();
    else if (asking) {
      setAsking(false);
      if (input === 'y' && served.reset) void run(served.reset());
    } else if (input === 'r' && served.reset) setAsking(true);
    else if (input === 'o') void run(served.open().then(() => `opened ${served.root}`));
  });
  const keys = [served.reset && 'r reset', 'o open', 'q quit'].filter(Boolean).join('  ');
  const failed = counts.failed ? `, ${counts.failed} failed` : '';
  const status = `${served.root}  ${counts.count} ${counts.count === 1 ? 'request' : 'requests'}${failed}`;
  const line = asking ? `Reset ${served.place}?  y yes  any other key no` : `${notice || status}  ${keys}`;
  return <Text wrap="truncate">{cut(line, (stdout.columns || 80) - 1)}</Text>;
}

/** Shows a server on a terminal until somebody quits or the terminal is interrupted. */
export async function watch(served: Served, terminal: Terminal, colour: boolean): Promise<void> {
  const screen = render(<ServeScreen served={served} colour={colour} />, {
    stdin: terminal.stdin as NodeJS.ReadStream,
    stdout: terminal.stdout as NodeJS.WriteStream,
    exitOnCtrlC: false,
  });
  const stop = () => screen.unmount();
  if (terminal.interrupted.aborted) stop();
  terminal.interrupted.addEventListener('abort', stop, { once: true });
  try {
    await screen.waitUntilExit();
  } finally {
    terminal.interrupted.removeEventListener('abort', stop);
  }
}
