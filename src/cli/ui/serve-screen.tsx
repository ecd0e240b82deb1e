import { render, Text, useApp, useInput, useStdout } from 'ink';
import { useEffect, useRef, useState } from 'react';
import { outcomeText } from '../../model/operations/request-outcome.ts';
import type { RequestEvent } from '../../server/http.ts';
import { withoutSecrets } from '../../server/journal/credentials.ts';
import { createColors, escapeControls, renderOutput, screenOf } from '../terminal/safe-output.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { cut, pad } from '../terminal/width.ts';

export interface ServeScreenModel {
  /** URL of the API. */
  root: string;
  /** Description of the calendar. */
  place: string;
  /** Adds a listener for requests. Returns a function that removes it. */
  onRequest(listener: (event: RequestEvent) => void): () => void;
  /** Resets the calendar and returns a summary. */
  reset?(): Promise<string>;
  /** Opens the page in the browser and returns a message. */
  open(): Promise<string>;
}

const intervalMs = 50;
const maxLines = 200;

/** Formats a request as a line: method, path, status, ms. */
export function requestLine(
  { method, path, status, fault, aborted = false, error, took }: RequestEvent,
  columns: number,
  color: boolean,
): string {
  const paint = createColors(color);
  const colorOf = fault || aborted || status >= 500 ? paint.red : status >= 400 ? paint.yellow : status >= 300 ? paint.cyan : paint.green;
  const time = `${took.toFixed(took < 10 ? 1 : 0)} ms`;
  const outcome = outcomeText({ status, fault: fault ?? null, aborted });
  const room = Math.max(10, columns - 7 - 10 - outcome.length - 2);
  return `${pad(escapeControls(method), 7)}${pad(cut(escapeControls(error ?? withoutSecrets(path)), room), room)} ${colorOf(outcome)} ${paint.dim(pad(time, 9, 'right'))}`;
}

/** Writes requests above ink's output in batches of at most 200 lines. Returns the numbers of requests and failures. */
function useRequests(served: ServeScreenModel, color: boolean): { count: number; failed: number } {
  const { stdout, write } = useStdout();
  const [counts, setCounts] = useState({ count: 0, failed: 0 });
  const pending = useRef<RequestEvent[]>([]);
  useEffect(() => {
    const stop = served.onRequest((event) => pending.current.push(event));
    const timer = setInterval(() => {
      const events = pending.current.splice(0);
      if (!events.length) return;
      const visibleEvents = events.slice(-maxLines);
      const skipped = events.length > visibleEvents.length ? `… ${events.length - visibleEvents.length} more\n` : '';
      write(renderOutput(skipped + visibleEvents.map((event) => `${requestLine(event, stdout.columns || 80, color)}\n`).join('')));
      setCounts(({ count, failed }) => ({
        count: count + events.length,
        failed: failed + events.filter(({ status, fault, aborted }) => fault || aborted || status >= 500).length,
      }));
    }, intervalMs);
    return () => {
      clearInterval(timer);
      stop();
    };
  }, [served, stdout, write, color]);
  return counts;
}

export function ServeScreen({ served, color }: { served: ServeScreenModel; color: boolean }) {
  const { exit } = useApp();
  const { stdout } = useStdout();
  const counts = useRequests(served, color);
  const [confirming, setConfirming] = useState(false);
  const [notice, setNotice] = useState('');
  const run = (work: Promise<string | undefined>) =>
    work.then(
      (done) => setNotice(done ?? ''),
      (error: unknown) => setNotice(`! ${escapeControls(error instanceof Error ? error.message : String(error))}`),
    );
  // A key may arrive before the handler of the last rendering is in place, so both read this.
  const isConfirming = useRef(false);
  const ask = (on: boolean) => {
    isConfirming.current = on;
    setConfirming(on);
  };
  useInput((input, key) => {
    if (input === 'q' || (key.ctrl && input === 'c')) exit();
    else if (isConfirming.current) {
      ask(false);
      if (input === 'y' && served.reset) void run(served.reset());
    } else if (input === 'r' && served.reset) ask(true);
    else if (input === 'o') void run(served.open());
  });
  const keys = [served.reset && 'r reset', 'o open', 'q quit'].filter(Boolean).join('  ');
  const failed = counts.failed ? `, ${counts.failed} failed` : '';
  const status = `${counts.count} ${counts.count === 1 ? 'request' : 'requests'}${failed}  ${served.root}`;
  const line = confirming ? `Reset ${served.place}? y/N` : `${keys}  ${notice || status}`;
  return <Text wrap="truncate">{cut(line, (stdout.columns || 80) - 1)}</Text>;
}

/** Shows the screen until the user quits or the terminal is interrupted. */
export async function showServeScreen(served: ServeScreenModel, terminal: Terminal, color: boolean): Promise<void> {
  const screen = render(<ServeScreen served={served} color={color} />, {
    stdin: terminal.stdin as NodeJS.ReadStream,
    stdout: screenOf(terminal.stdout) as NodeJS.WriteStream,
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
