import { existsSync, realpathSync } from 'node:fs';
import { main } from '../src/cli/main.ts';
import { systemFailure } from '../src/model/error.ts';
import { runOnNode } from './machine/node.ts';

runOnNode();

const abortController = new AbortController();
let signalHandler: ((signal: NodeJS.Signals) => void) | undefined;
const interrupt = (signal: NodeJS.Signals) => {
  if (signalHandler) return signalHandler(signal);
  // The first signal stops the command, the second one ends the process immediately.
  if (abortController.signal.aborted) process.exit(signal === 'SIGINT' ? 130 : 143);
  abortController.abort(signal);
};
const listen = (how: 'on' | 'off') => {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process[how](signal, interrupt);
};
listen('on');
// With a listener, exceeding the file size limit fails the write instead of ending the process.
if (process.platform !== 'win32') process.on('SIGXFSZ' as NodeJS.Signals, () => {});

main(process.argv.slice(2), {
  get stdin() {
    return process.stdin;
  },
  // Opening a stream loads modules of node.
  get stdout() {
    return process.stdout;
  },
  get stderr() {
    return process.stderr;
  },
  env: process.env,
  get cwd() {
    try {
      return process.cwd();
    } catch (error) {
      throw systemFailure(error, 'cannot find the folder that this is run in');
    }
  },
  get self() {
    const { execPath, execArgv, argv } = process;
    // A standalone executable has no script.
    const hasScript = existsSync(argv[1]!) && realpathSync(argv[1]!) !== realpathSync(execPath);
    return hasScript ? [execPath, ...execArgv, argv[1]!] : [execPath];
  },
  now: Date.now,
  interrupted: abortController.signal,
  async stackOf({ stack = '' }) {
    // Bun numbers the lines and columns of a part differently.
    if (typeof __filename !== 'string' || process.versions.bun) return stack;
    const { mapStack } = await import('./stack-trace.ts');
    return mapStack(stack, `${__filename}.map`);
  },
  takeSignals(listener) {
    signalHandler = listener;
    return () => {
      signalHandler = undefined;
    };
  },
  takeRejections(listener) {
    process.on('unhandledRejection', listener);
    return () => process.off('unhandledRejection', listener);
  },
  blocking(work) {
    // Listeners are not called during synchronous work; without them the system ends the process.
    listen('off');
    try {
      return work();
    } finally {
      listen('on');
    }
  },
}).then((code) => {
  // Everything is written and closed; open handles must not keep the process alive.
  process.exit(code);
});
