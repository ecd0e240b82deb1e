import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import stringWidth from 'string-width';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { owner } from '../../../src/model/viewer.ts';
import { openCalendar } from '../../../src/store/calendar.ts';
import { city } from '../../support/displayed-days.ts';
import { program } from '../../support/program.ts';
import { limit } from '../../support/timeouts.ts';
import { calendarCommand, noTmux, RealTerminal } from '../../support/tmux.ts';

const nowText = '2027-03-03T09:00:00Z';

let terminal: RealTerminal;
let file: string;
beforeEach(async ({ skip }) => {
  skip(noTmux !== undefined, noTmux);
  terminal = new RealTerminal();
  file = join(terminal.folder, 'city.db');
  const store = await openCalendar(file, { mode: 'write', now: () => Date.parse(nowText) });
  const calendar = store.calendarFor(owner, { home: 'http://localhost', root: 'http://localhost/calendar/events/v1' });
  for (const event of city) await calendar.events.create({ timezone: 'Europe/Paris', ...event });
  await store.close();
});
afterEach(() => terminal?.close());

/** Runs a command to its end, outside of the terminal. */
function calendar(...args: string[]): string {
  const { stdout } = spawnSync(process.execPath, [...program, ...args], { encoding: 'utf8' });
  return stdout;
}

/** The month is there with its events: by then keys come as they are pressed. Before, the terminal itself takes Ctrl-S and Ctrl-C. */
const loaded = { test: (screen: string) => screen.includes('March 2027') && !screen.includes('loading') };

/** Opens the screen on the file, or on what `where` says. */
async function open(where = `--db ${file}`): Promise<void> {
  terminal.type(`clear; echo before; ${calendarCommand} ui ${where} --now ${nowText}; echo "exit $?"\n`);
  await terminal.sees(loaded);
}

describe('calendar ui in a real terminal', { timeout: limit(90_000) }, () => {
  it('shows month, day, event and list, and restores the terminal', async () => {
    await open();
    const month = await terminal.sees('Holiday');
    expect(month).toContain('›[3]');
    expect(month).toContain('q quit');
    await terminal.press('Enter');
    expect(await terminal.sees('Wed, 3 March 2027')).toMatch(/› all day +Exhibition \(12\/14\) · Pier 9, Lyon/);
    await terminal.press('Down', 'Down', 'Enter');
    const detail = await terminal.sees('When ');
    expect(detail).toMatch(/^Breakfast & talk/);
    expect(detail).toMatch(/When +Wed, 3 March 2027 09:30–10:30, Europe\/Paris/);
    await terminal.press('Escape');
    await terminal.seesNo('when ');
    await terminal.press('l');
    expect(await terminal.sees('Far off')).toMatch(/Sat 1 May +10:00–11:00 +Far off/);
    await terminal.press('?');
    await terminal.sees('Search; Enter keeps');
    await terminal.press('Escape');
    await terminal.seesNo('Search; Enter keeps');
    await terminal.press('q');
    const after = await terminal.sees('exit 0');
    expect(after).toContain('before');
    expect(after).not.toContain('March 2027');
  });

  it('finds events as one types', async () => {
    await open();
    await terminal.press('/');
    terminal.type('conc');
    const found = await terminal.sees('1 event');
    expect(found).toMatch(/› Wed 3 Mar +20:00–00:00 +Concert/);
    expect(found).not.toContain('Exhibition');
    terminal.type('x');
    await terminal.sees('No events match');
    await terminal.press('Escape');
    await terminal.sees('Exhibition');
    await terminal.press('C-c');
    await terminal.sees('exit 0');
  });

  it('creates, changes and deletes an event', async () => {
    await open();
    await terminal.press('n', 'C-s');
    expect(await terminal.sees('✗ is needed')).toContain('New event');
    terminal.type('Soirée 日本 🎉');
    await terminal.press('Tab', 'C-u');
    terminal.type('nonsense');
    await terminal.sees('is not a valid date');
    await terminal.press('C-u');
    terminal.type('friday 8pm');
    await terminal.sees('= Fri, 5 March 2027, 20:00');
    await terminal.press('Tab');
    terminal.type('23:30');
    await terminal.press('Tab', 'Tab', 'Tab');
    terminal.type('Salle Pleyel');
    await terminal.press('C-s');
    await terminal.sees('Create venue “Salle Pleyel”');
    await terminal.press('y');
    await terminal.sees('Created: Soirée 日本 🎉');
    const made = JSON.parse(calendar('events', 'list', '--db', file, '--search', 'Soirée', '--json', '--now', nowText));
    expect(made).toMatchObject([{ start_date: '2027-03-05 20:00:00', end_date: '2027-03-05 23:30:00', venue: { venue: 'Salle Pleyel' } }]);

    await terminal.press('d');
    expect(await terminal.sees('Fri, 5 March 2027')).toMatch(/› 20:00–23:30 +(UTC +)?Soirée/);
    await terminal.press('e');
    await terminal.sees('Edit Soirée');
    terminal.type('!');
    await terminal.press('C-s');
    await terminal.sees('Saved: Soirée 日本 🎉!');
    await terminal.press('x');
    await terminal.sees('to the trash?');
    await terminal.press('y');
    await terminal.sees('Moved to the trash');
    expect(calendar('events', 'list', '--db', file, '--search', 'Soirée', '--format', 'count', '--now', nowText)).toBe('0\n');
    await terminal.press('q');
    await terminal.sees('exit 0');
  });

  it('leaves the file to other commands while it is open', async () => {
    await open();
    calendar(
      'events',
      'create',
      '--db',
      file,
      '--title',
      'From outside',
      '--start-date',
      '2027-03-09 10:00',
      '--end-date',
      '2027-03-09 11:00',
      '--now',
      nowText,
    );
    await terminal.press('r');
    await terminal.sees(/From out/);
    await terminal.press('q');
    await terminal.sees('exit 0');
  });

  it('follows the size of the terminal', async () => {
    await open();
    await terminal.sees('Holiday');
    for (const [columns, rows, mark] of [
      [120, 40, '20:00–00:00'],
      [60, 16, '+2 more'],
      [40, 12, '›3*'],
      [80, 24, 'Holiday'],
    ] as const) {
      terminal.resize(columns, rows);
      const screen = await terminal.sees(mark);
      expect(screen.split('\n').filter((line) => line.startsWith('March 2027'))).toHaveLength(1);
      for (const line of screen.split('\n')) expect(stringWidth(line)).toBeLessThanOrEqual(columns);
    }
    terminal.resize(25, 6);
    await terminal.sees('too small');
    terminal.resize(80, 24);
    await terminal.sees('Holiday');
    await terminal.press('q');
    await terminal.sees('exit 0');
  });

  it('on 50 columns and 15 rows shows all of its help', async () => {
    terminal.resize(50, 15);
    await open();
    await terminal.press('?');
    expect(await terminal.sees('Arrows scroll')).not.toContain('In a form');
    await terminal.press('PageDown');
    expect(await terminal.sees('In a form')).toContain('Tab or arrows');
    await terminal.press('x', 'q');
    await terminal.sees('exit 0');
  });

  it('restores the terminal at a signal', async () => {
    terminal.type(
      `clear; echo before; sh -c 'echo $$ > ${terminal.folder}/pid; exec ${calendarCommand} ui --db ${file} --now ${nowText}'; echo "exit $?"\n`,
    );
    await terminal.sees(loaded);
    spawnSync('sh', ['-c', `kill -TERM $(cat ${terminal.folder}/pid)`]);
    expect(await terminal.sees('exit 143')).toContain('before');
  });
});

describe('calendar serve in a real terminal', { timeout: limit(90_000) }, () => {
  it('shows requests as they arrive, confirms a reset, and restores the terminal', async () => {
    const opened = join(terminal.folder, 'opened');
    const browser = join(terminal.folder, 'browser');
    writeFileSync(browser, `#!/bin/sh\necho "$1" > '${opened}'\n`, { mode: 0o755 });
    terminal.type(`clear; BROWSER=${browser} ${calendarCommand} serve --memory --seed minimal --port 0; echo "exit $?"\n`);
    const [url] = /http:\/\/127\.0\.0\.1:\d+\/calendar\/events\/v1/.exec(await terminal.sees('q quit')) ?? [];
    await fetch(`${url}/events?search=jazz`);
    await fetch(`${url}/events/999999`);
    const screen = await terminal.sees('2 requests');
    expect(screen).toMatch(/GET +\/calendar\/events\/v1\/events\?search=jazz +200 +[\d.]+ ms/);
    expect(screen).toMatch(/GET +\/calendar\/events\/v1\/events\/999999 +404 +[\d.]+ ms/);
    await fetch(`${url}/tags`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"name":"passing"}' });
    await terminal.press('r');
    await terminal.sees('Reset an in-memory calendar?');
    await terminal.press('n');
    await terminal.sees('r reset');
    await terminal.press('r', 'y');
    await terminal.sees('Reset: 5 records');
    const { total } = (await (await fetch(`${url}/tags?hide_empty=false&search=passing`)).json()) as { total: number };
    expect(total).toBe(0);
    await terminal.press('o');
    await terminal.sees('Opened http');
    const asked = () => existsSync(opened) && readFileSync(opened, 'utf8').trim();
    await expect.poll(asked).toBe(`${new URL(url!).origin}/`);
    await terminal.press('q');
    await terminal.sees('exit 0');
  });
});

it('the keys of a server are in sight on 50 columns', { timeout: limit(90_000) }, async () => {
  terminal.resize(50, 15);
  terminal.type(`clear; ${calendarCommand} serve --memory --seed minimal --port 0; echo "exit $?"\n`);
  expect(await terminal.sees('q quit')).toMatch(/^r reset {2}o open {2}q quit {2}0 requests {2}http:\/\/127/m);
  await terminal.press('q');
  await terminal.sees('exit 0');
});

/** A server on the file, and where it listens. */
async function serve(port = 0): Promise<{ url: string; port: number; stop: () => Promise<unknown> }> {
  const args = [...program, 'serve', '--db', file, '--port', String(port), '--json', '--quiet', '--now', nowText];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const gone = once(child, 'exit');
  const line = await Promise.race([
    once(child.stdout, 'data').then(String),
    gone.then(() => Promise.reject(new Error('the server did not start'))),
  ]);
  const { url, port: listens } = JSON.parse(line);
  const stop = () => {
    child.kill('SIGKILL');
    return gone;
  };
  return { url, port: listens, stop };
}

describe('calendar ui on a server', { timeout: limit(90_000) }, () => {
  it('reports a lost connection, keeps the form, and continues afterwards', async () => {
    const first = await serve();
    await open(`--url ${first.url} --timeout 2`);
    await terminal.sees('Holiday');
    await terminal.press('n');
    terminal.type('Half filled');
    await terminal.sees('Half filled');
    await first.stop();
    await terminal.press('C-s');
    const failed = await terminal.sees('Ctrl-S to retry');
    expect(failed).toContain('Half filled');
    const second = await serve(first.port);
    try {
      await terminal.press('C-s');
      await terminal.sees('Created: Half filled');
      await second.stop();
      await terminal.press('>');
      const away = await terminal.sees('r to retry');
      expect(away).toContain('April 2027');
      const third = await serve(first.port);
      try {
        await terminal.press('r', 'r');
        await terminal.sees('Far off');
        await terminal.press('<', 'd');
        await terminal.sees(/1[01]:00–1[12]:00 UTC +Half filled/);
        await terminal.press('q');
        await terminal.sees('exit 0');
      } finally {
        await third.stop();
      }
    } finally {
      await second.stop();
    }
  });
});
