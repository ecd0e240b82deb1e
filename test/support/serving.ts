import { PassThrough } from 'node:stream';
import { afterEach } from 'vitest';
import { type Given, run, type Transcript, words } from './transcript.ts';

/** A `calendar serve --json` that listens, and the way to stop it. */
export interface Serving {
  said: { url: string; host: string; port: number; pid: number; file: string | null };
  stop(signal?: string): Promise<Transcript>;
}

/** Starts servers in the folder of a test file; each is stopped after the test that started it. */
export function servers(cwd: string): (line: string, given?: Given) => Promise<Serving> {
  const running: Serving[] = [];
  afterEach(async () => {
    for (const server of running.splice(0)) await server.stop();
  });
  return async (line, given = {}) => {
    const server = await serving(line, { cwd, ...given });
    running.push(server);
    return server;
  };
}

/** Starts `calendar serve` on a free port; resolves when it listens. It may be stopped twice. */
export async function serving(line: string, given: Given = {}): Promise<Serving> {
  const stdout = new PassThrough();
  const interruption = new AbortController();
  const done = run(words(`serve --json --port 0 ${line}`), { ...given, stdout, interrupted: interruption.signal });
  const said = await Promise.race([
    new Promise<string>((resolve) => stdout.once('data', (chunk) => resolve(String(chunk)))),
    done.then(({ stderr }) => Promise.reject(new Error(stderr))),
  ]);
  return {
    said: JSON.parse(said),
    stop(signal = 'SIGTERM') {
      interruption.abort(signal);
      return done;
    },
  };
}
