import { ownSequence, paintFor } from './safe-output.ts';
import { type Terminal, terminalWidth } from './terminal.ts';

/** A progress line on a terminal. */
interface Progress {
  /** Reports the number of finished items, and the total once it is known. */
  update(done: number, total?: number): void;
  /** Erases the line. */
  end(): void;
}

export const silent: Progress = { update: () => {}, end: () => {} };

const delayMs = 1000;
const intervalMs = 100;

/** A progress line on stderr: only on a terminal and after 1 s, with a bar if the total is known. `clock` returns ms. */
export function progressOf(terminal: Terminal, what: string, total?: number, clock = () => performance.now()): Progress {
  const { stderr, env } = terminal;
  if (!stderr.isTTY || env.TERM === 'dumb') return silent;
  const start = clock();
  let last = start + delayMs - intervalMs;
  const eraseLine = ownSequence('\r\x1b[K');
  let open = false;
  return {
    update(done, of = total) {
      const now = clock();
      if (now - last < intervalMs) return;
      last = now;
      open = true;
      const line = progressLine(what, done, of, (now - start) / 1000);
      const room = (terminalWidth(stderr) ?? 80) - 1;
      const text = line.length <= room ? line : `${line.slice(0, Math.max(0, room - 1))}…`;
      stderr.write(`${eraseLine}${text.replace(/[\u2501\u2578]+/, (bar) => paintFor(stderr, env).green(bar))}`);
    },
    end() {
      if (open) stderr.write(eraseLine);
      open = false;
    },
  };
}

/** Formats a progress line. */
export function progressLine(what: string, done: number, total: number | undefined, seconds: number): string {
  const counted = done.toLocaleString('en');
  if (total === undefined || !(total > 0 && Number.isFinite(total))) return `${what}: ${counted}`;
  const share = Math.min(1, done / total);
  const secondsLeft = share > 0 ? Math.ceil((seconds * (1 - share)) / share) : undefined;
  const remaining =
    secondsLeft === undefined || share === 1
      ? ''
      : `, ${secondsLeft < 100 ? `${secondsLeft} s` : `${Math.round(secondsLeft / 60)} min`} left`;
  return `${what} ${barOf(share, 20)} ${String(Math.floor(share * 100)).padStart(3)} %  ${counted} of ${total.toLocaleString('en')}${remaining}`;
}

function barOf(share: number, width: number): string {
  const halves = Math.floor(share * width * 2);
  const full = Math.floor(halves / 2);
  return ('━'.repeat(full) + (halves % 2 ? '╸' : '')).padEnd(width, '─');
}
