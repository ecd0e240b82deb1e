import { mkdtempSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { run } from './transcript.ts';
import { builtWebLibrary } from './web-library.ts';

/** A folder that a web server serves as GitHub Pages does. */
export interface StaticServer {
  /** The address of the folder, with a slash at its end. */
  url: string;
  /** The folder. */
  path: string;
  /** The requests it received, like `GET /index.html`. */
  log: string[];
  close(): Promise<void>;
}

const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.json': 'application/json',
  '.wasm': 'application/wasm',
};

/** Serves an empty folder at a path like `/preview`: `404.html` for missing files, and files for ten minutes from the cache of a browser. */
export async function staticServer(prefix = ''): Promise<StaticServer> {
  const path = mkdtempSync(join(tmpdir(), 'static-site-'));
  const log: string[] = [];
  const fileAt = (address: string): string | undefined => {
    if (!address.startsWith(`${prefix}/`)) return undefined;
    const file = join(path, address.slice(prefix.length));
    const stats = statSync(file, { throwIfNoEntry: false });
    return stats?.isDirectory() ? fileAt(`${address.replace(/\/$/, '')}/index.html`) : stats && file;
  };
  const server = createServer(({ method, url = '/' }, response) => {
    log.push(`${method} ${url}`);
    const file = fileAt(new URL(url, 'http://localhost').pathname);
    const missing = join(path, '404.html');
    const shown = file ?? (statSync(missing, { throwIfNoEntry: false }) ? missing : undefined);
    const headers = { 'Content-Type': types[extname(shown ?? '')] ?? 'application/octet-stream', 'Cache-Control': 'max-age=600' };
    response.writeHead(file ? 200 : 404, headers).end(shown ? readFileSync(shown) : 'missing');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${prefix}/`,
    path,
    log,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Runs `calendar build FOLDER ARGS` with the web build of these sources. */
export async function buildSite(folder: string, ...args: string[]): Promise<void> {
  const program = mkdtempSync(join(tmpdir(), 'program-'));
  symlinkSync(await builtWebLibrary(), join(program, 'web'));
  const script = join(program, 'calendar.js');
  writeFileSync(script, '');
  const { exit, stderr } = await run(['build', folder, ...args], {
    cwd: program,
    self: [process.execPath, script],
    env: { CALENDAR_NOW: '' },
  });
  if (exit !== 0) throw new Error(stderr);
}
