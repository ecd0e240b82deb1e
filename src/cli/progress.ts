import { paintFor, type Terminal } from './terminal.ts';

/** Says on a terminal how far something long has come. */
export interface Progress {
  /** So many are done. */
  at(done: number): void;
  /** Takes the line away. */
  end(): void;
}

/** Progress that nobody sees. */
export const silent: Progress = { at: () => {}, end: () => {} };

const patience = 1000;
const between = 100;

/**
 * Progress of something that may take long: a line on stderr, only on a terminal and only once a second has passed; with a bar where the
 * total is known. `clock` gives milliseconds.
 */
export function progressOf(terminal: Terminal, what: string, total?: number, clock = () => performance.now()): Progress {
  const { stderr, env } = terminal;
  if (!stderr.isTTY || env.TERM === 'dumb') return silent;
  const start = clock();
  let last = start + patience - between;
  let open = false;
  return {
    at(done) {
      const now = clock();
      if (now - last < between) return;
      last = now;
      open = true;
      const line = lineOf(what, done, total, (now - start) / 1000);
      const room = (stderr.columns ?? 80) - 1;
      // Every character of it is one column wide.
      const shown = line.length <= room ? line : `${line.slice(0, Math.max(0, room - 1))}…`;
      stderr.write(`\r\x1b[K${shown.replace(/[━╸]+/, (bar) => paintFor(stderr, env).green(bar))}`);
    },
    end() {
      if (open) stderr.write('\r\x1b[K');
      open = false;
    },
  };
}

/** What a line of progress says after so many seconds. */
export function lineOf(what: string, done: number, total: number | undefined, seconds: number): string {
  const counted = done.toLocaleString('en');
  if (total === undefined || !(total > 0 && Number.isFinite(total))) return `${what}: ${counted}`;
  const share = Math.min(1, done / total);
  const left = share > 0 ? Math.ceil((seconds * (1 - share)) / share) : undefined;
  const remaining = left === undefined || share === 1 ? '' : `, ${left < 100 ? `${left} s` : `${Math.round(left / 60)} min`} left`;
  return `${what} ${barOf(share, 20)} ${String(Math.floor(share * 100)).padStart(3)} %  ${counted} of ${total.toLocaleString('en')}${remaining}`;
}

function barOf(share: number, width: number): string {
  const halves = Math.floor(share * width * 2);
  const full = Math.floor(halves / 2);
  return ('━'.repeat(full) + (halves % 2 ? '╸' : '')).padEnd(width, '─');
}
