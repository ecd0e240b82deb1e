import { PassThrough } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { InputStream, Terminal } from '../../src/cli/terminal/terminal.ts';
import { limit } from './timeouts.ts';
import { moment } from './transcript.ts';

const tty = () => Object.assign(new PassThrough({ encoding: 'utf8' }), { isTTY: true, setRawMode: () => {} });

/** A terminal in this process with a person before it, who types and waits for what it says on stderr. */
export function attended(cwd: string) {
  const [stdin, stdout, stderr] = [tty(), tty(), tty()];
  let said = '';
  stderr.on('data', (text) => {
    said += text;
  });
  const env = { HOME: cwd, CALENDAR_NOW: moment };
  const interrupted = new AbortController().signal;
  const terminal = { stdin: stdin as InputStream, stdout, stderr, env, cwd, now: () => Date.parse(moment), interrupted } satisfies Terminal;
  return {
    terminal,
    type: (keys: string) => void stdin.write(keys),
    /** Ends the input, as ctrl-d does. */
    end: () => void stdin.end(),
    /** Waits until stderr says something, and gives all that it said. */
    async sees(what: string): Promise<string> {
      const until = Date.now() + limit(10_000);
      while (!said.includes(what)) {
        if (Date.now() > until) throw new Error(`the terminal does not say ${what}: ${said}`);
        await sleep(5);
      }
      return said;
    },
  };
}
