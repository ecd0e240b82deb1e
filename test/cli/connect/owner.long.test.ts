import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { Server } from '../../crash/served.ts';
import { command } from '../../support/command.ts';
import { inFolder } from '../../support/items.ts';
import { compiled, program } from '../../support/program.ts';
import { limit } from '../../support/timeouts.ts';
import { run } from '../../support/transcript.ts';

async function withServer(options: readonly string[], work: (file: string, server: Server) => Promise<void>): Promise<void> {
  await inFolder(async (folder) => {
    const file = `${folder}/a.db`;
    writeFileSync(`${folder}/users.json`, JSON.stringify([{ name: 'ada', role: 'subscriber', password: 'p' }]));
    const server = new Server(
      file,
      options.map((option) => option.replace('FOLDER', folder)),
    );
    try {
      if (!(await server.ready())) throw new Error(server.complaint);
      await work(file, server);
    } finally {
      await server.stop('SIGKILL');
    }
  });
}

const create = (file: string, ...more: string[]) =>
  command('events', 'create', '--title', 'x', '--start-date', 'tomorrow', '--end-date', 'tomorrow', '--db', file, ...more);

describe('a command on a file that a server owns', { timeout: limit(30_000) }, () => {
  it('uses the server with a token that only the same user can read, and reports it with -v', () =>
    withServer([], async (file, server) => {
      expect(statSync(`${file}-owner`).mode & 0o777).toBe(0o600);
      const { token, url } = JSON.parse(readFileSync(`${file}-owner`, 'utf8'));
      expect([token.length >= 32, url]).toEqual([true, server.url]);
      const made = await create(file, '-v', '--quiet');
      expect(made.exit).toBe(0);
      expect(made.stderr).toContain(`calendar: ${server.url}, the server of ${file} (process ${server.child.pid})\n`);
      expect(made.stderr).toMatch(/POST .*\/events 201 in \d+ ms/);
      expect((await create(file, '--quiet')).stderr).toBe('');
    }));

  it('may do everything despite users; others may not', () =>
    withServer(['--users', 'FOLDER/users.json'], async (file, server) => {
      expect(await create(file)).toMatchObject({ exit: 0, stderr: '' });
      expect((await server.send('POST', '/tags', { name: 'x' })).status).toBe(401);
      expect((await server.send('POST', '/tags', { name: 'x' }, { authorization: 'Bearer wrong' })).status).toBe(401);
      for (const [method, path] of [
        ['POST', 'file/backup'],
        ['POST', 'file/checkpoint'],
        ['GET', 'file'],
        ['GET', 'users'],
        ['POST', 'reset'],
        ['PUT', 'snapshots/x'],
      ] as const) {
        const address = new URL(`/_calendar/${path}`, server.url).href;
        expect((await server.sendTo(address, method)).status).toBe(403);
        expect((await server.sendTo(address, method, undefined, { authorization: 'Bearer wrong' })).status).toBe(403);
      }
    }));

  it('is the user of --user or CALENDAR_USER, whose password is required', () =>
    withServer(['--users', 'FOLDER/users.json'], async (file) => {
      const tag = (name: string, env: Record<string, string>) =>
        run(['tags', 'create', '--name', name, '--db', file], { cwd: import.meta.dirname, env }).then(({ exit }) => exit);
      expect(await tag('a', {})).toBe(0);
      expect(await tag('b', { CALENDAR_USER: 'ada', CALENDAR_PASSWORD: 'p' })).toBe(4);
      expect(await tag('c', { CALENDAR_USER: 'ada', CALENDAR_PASSWORD: 'wrong' })).toBe(4);
      expect(await tag('d', { CALENDAR_USER: 'unknown', CALENDAR_PASSWORD: 'p' })).toBe(4);
    }));

  it('has the clock of the server, also where it looks ahead', () =>
    withServer(['--now', '2030-05-05T00:00:00Z'], async (file) => {
      expect(JSON.parse((await create(file, '--json=start_date,date')).stdout)).toEqual({
        start_date: '2030-05-06 00:00:00',
        date: '2030-05-05 00:00:00',
      });
      expect((await command('next', '--db', file)).stdout).toMatch(/^tomorrow/);
      expect((await command('agenda', '--db', file)).stdout).toContain('2030');
      expect((await command('events', 'list', '--db', file, '--format', 'count')).stdout).toBe('1\n');
    }));

  it('finds no server after a kill, and opens the file directly', () =>
    withServer([], async (file, server) => {
      expect((await create(file)).exit).toBe(0);
      await server.stop('SIGKILL');
      const made = await create(file, '-v', '--quiet');
      expect(made).toMatchObject({ exit: 0, stderr: expect.stringContaining(`calendar: ${file} (--db)`) });
      expect((await command('events', 'list', '--db', file, '--format', 'count')).stdout).toBe('2\n');
      expect(readdirSync(`${file.slice(0, -5)}`)).toEqual(['a.db', 'users.json']);
    }));
});

describe('a command on a file that another command holds', { timeout: limit(30_000) }, () => {
  it('waits its turn for at most --timeout, then names the process', () =>
    inFolder(async (folder) => {
      const file = `${folder}/a.db`;
      await create(file);
      const holder = spawn(process.execPath, [compiled('support/item-process.ts'), file, 'hold'], { stdio: ['ignore', 'pipe', 'inherit'] });
      await once(holder.stdout!, 'data');
      try {
        const start = performance.now();
        const refused = await create(file, '--timeout', '1.5');
        expect(performance.now() - start).toBeGreaterThan(1500);
        expect(refused).toEqual({
          stdout: '',
          stderr: expect.stringMatching(new RegExp(`^calendar: .* is in use by process ${holder.pid}\\n {2}Wait until .*--timeout.*\\n$`)),
          exit: 6,
        });
        expect((await command('events', 'list', '--db', file, '--format', 'count')).stdout).toBe('1\n');
        const waiting = create(file, '--quiet');
        await sleep(1000);
        holder.kill('SIGKILL');
        expect((await waiting).exit).toBe(0);
      } finally {
        holder.kill('SIGKILL');
      }
    }));
});

it('a second signal does not wait for the shutdown; acknowledged writes are kept', { timeout: limit(30_000) }, () =>
  inFolder(async (folder) => {
    const file = `${folder}/a.db`;
    const child = spawn(process.execPath, [...program, 'serve', '--db', file, '--port', '0', '--json', '--quiet'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await once(child.stdout!, 'data');
    await create(file);
    // Both are there before the first is answered.
    child.kill('SIGSTOP');
    child.kill('SIGINT');
    child.kill('SIGTERM');
    child.kill('SIGCONT');
    const [code] = await once(child, 'close');
    expect([0, 130, 143]).toContain(code);
    expect((await command('events', 'list', '--db', file, '--format', 'count')).stdout).toBe('1\n');
  }),
);
