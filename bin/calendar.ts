import { main } from '../src/cli/main.ts';
import { systemFailure } from '../src/model/system-error.ts';

const interruption = new AbortController();
let taker: ((signal: NodeJS.Signals) => void) | undefined;
const interrupt = (signal: NodeJS.Signals) => {
  if (taker) return taker(signal);
  // The first asks the command to stop; the second does not wait for it.
  if (interruption.signal.aborted) process.exit(signal === 'SIGINT' ? 130 : 143);
  interruption.abort(signal);
};
const listen = (how: 'on' | 'off') => {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process[how](signal, interrupt);
};
listen('on');

const { stdin, stdout, stderr, env } = process;
main(process.argv.slice(2), {
  stdin,
  stdout,
  stderr,
  env,
  get cwd() {
    try {
      return process.cwd();
    } catch (error) {
      throw systemFailure(error, 'cannot find the folder that this is run in');
    }
  },
  now: Date.now,
  interrupted: interruption.signal,
  async stackOf({ stack = '' }) {
    // Bun counts the lines and columns of a part differently.
    if (typeof __filename !== 'string' || process.versions.bun) return stack;
    const { mapStack } = await import('./stack-trace.ts');
    return mapStack(stack, `${__filename}.map`);
  },
  takeSignals(listener) {
    taker = listener;
    return () => {
      taker = undefined;
    };
  },
  blocking(work) {
    // No listener is called before the work is done; without one the system ends the process.
    listen('off');
    try {
      return work();
    } finally {
      listen('on');
    }
  },
}).then((code) => {
  // Everything is written and closed by now; what still listens must not keep the program alive.
  process.exit(code);
});
