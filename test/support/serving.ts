import { PassThrough } from 'node:stream';
import { type Given, run, type Transcript, words } from './transcript.ts';

/** A `calendar serve --json` that listens, and the way to stop it. */
export interface Serving {
  said: { url: string; host: string; port: number; pid: number; file: string | null };
  stop(signal?: string): Promise<Transcript>;
}

/** Starts `calendar serve` on a free port; resolves when it listens. */
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
