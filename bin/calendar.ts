import { main } from '../src/cli/main.ts';

const interruption = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    // The first asks the command to stop; the second does not wait for it.
    if (interruption.signal.aborted) process.exit(signal === 'SIGINT' ? 130 : 143);
    interruption.abort(signal);
  });
}

const { stdin, stdout, stderr, env } = process;
main(process.argv.slice(2), {
  stdin,
  stdout,
  stderr,
  env,
  cwd: process.cwd(),
  now: Date.now,
  interrupted: interruption.signal,
}).then((code) => {
  // Everything is written and closed by now; what still listens must not keep the program alive.
  process.exit(code);
});
