import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { missing } from '../../support/other-programs.ts';
import { program } from '../../support/program.ts';
import { runMark } from '../../support/run-mark.ts';
import { folder, run } from '../../support/transcript.ts';

// Writes the clipboard, clears the screen, sets the title, moves the cursor, and turns text around.
const attacks = ['\x1b]52;c;cm0gLXJm\x07', '\x1b[2J\x1b[H', '\x1b]0;title\x1b\\', '\x9b31m', '\u202egnp.exe', '\b\b\b\x7f'];
const attack = attacks.join('x');
const place = folder();
let url = '';

const server = createServer((request, response) => {
  const tag = { id: 5, name: attack, slug: 'x', description: attack, [attack]: attack, [`_${attack}`]: { [attack]: attack } };
  const isList = new URL(request.url!, 'http://x').pathname.endsWith('/tags');
  const isKnown = request.url!.includes('/tags');
  response.writeHead(isKnown ? 200 : 403, { 'content-type': 'application/json', 'x-calendar-hint': 'x', 'x-calendar-total': '1' });
  const failure = { code: attack, message: attack, data: { status: 403 } };
  response.end(JSON.stringify(isKnown ? (isList ? { tags: [tag], total: 1, total_pages: 1 } : tag) : failure));
});
beforeAll(async () => {
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  await run(['tags', 'create', '--name', attack, '--description', attack, '--db', 'own.db'], { cwd: place.path });
  writeFileSync(join(place.path, 'bad.json'), JSON.stringify([{ resource: 'tags', name: attack, [attack]: attack }]));
});
afterAll(() => {
  server.close();
  place.remove();
});

const runOnPty = (args: readonly string[]): Promise<string> =>
  new Promise((done, fail) => {
    const words = [process.execPath, ...program, ...args].map((word) => `'${word.replaceAll("'", "'\\''")}'`);
    const pty = 'import pty, sys; pty.spawn(["sh", "-c", sys.argv[1]])';
    const child = spawn('python3', ['-c', pty, words.join(' ')], {
      cwd: place.path,
      env: { ...runMark, PATH: process.env.PATH, HOME: place.path, TERM: 'xterm-256color', LANG: 'C.UTF-8' },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let text = '';
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
    });
    child.on('error', fail);
    child.on('close', () => done(text));
  });

it
  .skipIf(missing('python3'))
  .each([
    ['tags list --url URL'],
    ['tags get 5 --url URL'],
    ['tags get 5 --url URL --json'],
    ['tags list --url URL --format csv'],
    ['events list --url URL'],
    ['request GET /tags --url URL'],
    ['pull URL --db pulled.db'],
    ['tags list --db own.db'],
    ['tags list --db own.db --json'],
    ['tags get 1 --db own.db'],
    ['export --db own.db --format json'],
    ['import bad.json --db own.db'],
    ['validate bad.json'],
    ['tags get NAME --db own.db'],
    ['events list --NAME'],
  ])('%s on a pty writes nothing of others as it is', async (line) => {
  const words = line.split(' ').map((word) => word.replace('URL', url).replace('NAME', attack));
  const text = await runOnPty(words);
  expect(text).not.toBe('');
  // The program's own sequences are colors and the erasing of a line.
  const rest = text.replace(/\x1b\[[\d;]*[mK]|\r?\n|\r|\t/g, '');
  expect(JSON.stringify(rest.match(/[\0-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g))).toBe('null');
  expect(text).not.toContain('\x9b31m');
});
