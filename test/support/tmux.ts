import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { missing } from './other-programs.ts';
import { program } from './program.ts';
import { runMark } from './run-mark.ts';
import { limit } from './timeouts.ts';

const root = resolve(import.meta.dirname, '../..');

/** Returns why tests in a real terminal are skipped; undefined where they can run. */
export const noTmux = missing('tmux');

/** The command line as words of a shell. */
export const calendarCommand = `'${process.execPath}' ${program.join(' ')}`;

const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;

/** A shell in a real terminal: keys in, screen out. */
export class RealTerminal {
  readonly folder = mkdtempSync(join(tmpdir(), 'calendar-ui-'));
  readonly #socket = join(this.folder, 'tmux');

  /** Opens a terminal of the given columns and rows in the project's folder, without environment variables that change the output. */
  constructor(columns = 80, rows = 24) {
    const env = ['PATH', 'HOME', ...Object.keys(runMark)].map((name) => `${name}=${process.env[name] ?? ''}`);
    const told = [
      ...env,
      'LANG=en_GB.UTF-8',
      'LC_ALL=C.UTF-8',
      'LC_TIME=en_GB.UTF-8',
      'TZ=Europe/Paris',
      'PS1=ready> ',
      'TERM=xterm-256color',
    ];
    const shell = ['env', '-i', ...told.filter((each) => !each.startsWith('LC_ALL')), 'sh'].map(quoted).join(' ');
    this.#tmux('new-session', '-d', '-x', String(columns), '-y', String(rows), '-c', root, shell);
    this.#tmux('set-option', '-g', 'remain-on-exit', 'on');
  }

  #tmux(...args: string[]): string {
    const env = { ...process.env, LC_ALL: 'C.UTF-8', TMUX: '' };
    const { stdout, stderr, status } = spawnSync('tmux', ['-u', '-f', '/dev/null', '-S', this.#socket, ...args], { encoding: 'utf8', env });
    if (status !== 0) throw new Error(`tmux ${args.join(' ')}: ${stderr}`);
    return stdout;
  }

  /**
   * Presses keys by tmux's names, one after the other: Enter, C-s, Down, a. Escape comes last, and what it does is waited for before
   * the next key: a busy program reads the two at once, which is Alt with that key.
   */
  async press(...keys: string[]): Promise<void> {
    if (keys.slice(0, -1).includes('Escape')) throw new Error('Escape comes last: wait for what it does');
    for (const key of keys) {
      this.#tmux('send-keys', key);
      // A person is not quicker.
      await sleep(40);
    }
  }

  /** Types a text as it is. */
  type(text: string): void {
    this.#tmux('send-keys', '-l', text);
  }

  /** The text on the screen; `styled`: with the sequences that set colors. */
  screen({ styled = false } = {}): string {
    return this.#tmux('capture-pane', '-p', ...(styled ? ['-e'] : []));
  }

  /** Waits until the screen says something, and gives the screen. Fails with the last one. */
  async sees(what: string | Pick<RegExp, 'test'>, patience = limit(15_000)): Promise<string> {
    const until = Date.now() + patience;
    for (;;) {
      const screen = this.screen();
      if (typeof what === 'string' ? screen.includes(what) : what.test(screen)) return screen;
      if (Date.now() > until) throw new Error(`the screen does not say ${what}:\n${screen}`);
      await sleep(150);
    }
  }

  /** Waits until a text is gone from the screen. Fails with the last screen. */
  async seesNo(text: string): Promise<void> {
    await this.sees({ test: (screen: string) => !screen.includes(text) });
  }

  resize(columns: number, rows: number): void {
    this.#tmux('resize-window', '-x', String(columns), '-y', String(rows));
  }

  /** Ends the terminal and what runs in it. */
  close(): void {
    spawnSync('tmux', ['-S', this.#socket, 'kill-server']);
    rmSync(this.folder, { recursive: true, force: true });
  }
}
