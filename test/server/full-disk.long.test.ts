import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { afterEach, describe, expect, it, type TestContext } from 'vitest';
import { Server } from '../crash/served.ts';
import { command } from '../support/command.ts';
import { inFolder } from '../support/items.ts';
import { limit } from '../support/timeouts.ts';

const running: Server[] = [];
afterEach(async () => {
  for (const server of running.splice(0)) await server.stop('SIGKILL');
});

async function serve(file: string, options: readonly string[] = [], wrap: readonly string[] = []): Promise<Server> {
  const server = new Server(file, options, wrap);
  running.push(server);
  if (!(await server.ready())) throw new Error(server.complaint);
  return server;
}

/** The tags that a client knows to be created. */
class Client {
  readonly acknowledged: string[] = [];
  #made = 0;
  constructor(readonly server: Server) {}

  /** Makes a tag of some size; `201`, or the status and the code of the refusal. */
  async create(bytes = 10): Promise<string> {
    this.#made += 1;
    const name = `tag ${this.#made}`;
    const { status, body } = await this.server.send('POST', '/tags', { name, description: 'x'.repeat(bytes) });
    if (status === 201) this.acknowledged.push(name);
    return status === 201 ? '201' : `${status} ${body.code}`;
  }

  /** Makes tags with several connections until some are refused; the refusals. */
  async fill(bytes: number): Promise<string[]> {
    const refusals: string[] = [];
    while (refusals.length < 5)
      refusals.push(...(await Promise.all([0, 1, 2, 3].map(() => this.create(bytes)))).filter((answer) => answer !== '201'));
    return [...new Set(refusals)];
  }

  async names(): Promise<string[]> {
    const names: string[] = [];
    for (let page = 1; ; page += 1) {
      const { status, body } = await this.server.send('GET', `/tags?hide_empty=false&per_page=50&page=${page}`);
      if (status !== 200) return names;
      names.push(...body.tags.map(({ name }: { name: string }) => name));
      if (body.tags.length < 50) return names;
    }
  }

  /** Reads have exactly what was acknowledged, through the server; after a clean stop also from the file, which is then alone. */
  async holds(): Promise<void> {
    expect((await this.names()).sort()).toEqual([...this.acknowledged].sort());
  }
}

async function ends(client: Client, file: string): Promise<void> {
  await client.holds();
  expect(await client.server.stop()).toBe(0);
  expect(readdirSync(dirname(file)).filter((name) => name.startsWith('a.db') && name !== 'a.db')).toEqual([]);
  const { stdout } = await command('tags', 'list', '--no-hide-empty', '--all', '--format', 'tsv', '--fields', 'name', '--db', file);
  expect(stdout.trim().split('\n').slice(1).sort()).toEqual([...client.acknowledged].sort());
}

/** Mounts a separate disk for `work`; the test is skipped without permission to mount. */
async function onDisk(context: TestContext, size: string, work: (disk: string) => Promise<void>): Promise<void> {
  await inFolder(async (folder) => {
    const disk = `${folder}/disk`;
    mkdirSync(disk);
    try {
      execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', disk], { stdio: 'ignore' });
    } catch {
      return context.skip('needs the right to mount');
    }
    try {
      await work(disk);
    } finally {
      for (const server of running.splice(0)) await server.stop('SIGKILL');
      execFileSync('umount', ['-l', disk]);
    }
  });
}
const remount = (disk: string, options: string) => execFileSync('mount', ['-o', `remount,${options}`, disk]);

describe('a server whose disk', { timeout: limit(60_000) }, () => {
  it('is full answers 507, loses nothing, reads on, and takes changes when there is room again', (context) =>
    onDisk(context, '1m', async (disk) => {
      const file = `${disk}/a.db`;
      const client = new Client(await serve(file));
      expect(await client.fill(5000)).toEqual(['507 store-full']);
      await client.holds();
      expect(await client.create(5000)).toBe('507 store-full');
      remount(disk, 'size=20m');
      expect(await client.create(5000)).toBe('201');
      expect(client.server.complaint).toMatch(/the disk is full[\s\S]*works again/);
      await ends(client, file);
    }));

  it('is full again and again, until a file is removed', (context) =>
    onDisk(context, '1m', async (disk) => {
      const file = `${disk}/a.db`;
      const client = new Client(await serve(file));
      for (let i = 0; i < 4; i += 1) {
        writeFileSync(`${disk}/ballast`, Buffer.alloc(500_000 - i * 100_000));
        expect(await client.fill(3000)).toEqual(['507 store-full']);
        await client.holds();
        rmSync(`${disk}/ballast`);
        expect(await client.create()).toBe('201');
      }
      remount(disk, 'size=20m');
      await ends(client, file);
    }));

  it('is full and that is killed has everything that it acknowledged', (context) =>
    onDisk(context, '1m', async (disk) => {
      const file = `${disk}/a.db`;
      const client = new Client(await serve(file));
      await client.fill(5000);
      await client.server.stop('SIGKILL');
      const reader = new Client(await serve(file));
      reader.acknowledged.push(...client.acknowledged);
      await reader.holds();
      remount(disk, 'size=20m');
      expect((await reader.server.send('POST', '/tags', { name: 'after' })).status).toBe(201);
    }));

  it('limits the size of files answers 507', () =>
    inFolder(async (folder) => {
      const client = new Client(await serve(`${folder}/a.db`, [], ['sh', '-c', 'ulimit -f 900; exec "$@"', 'sh']));
      expect(await client.fill(5000)).toEqual(['507 store-full']);
      await client.holds();
      await client.server.stop();
      const { stdout } = await command('tags', 'list', '--no-hide-empty', '--format', 'count', '--db', `${folder}/a.db`);
      expect(Number(stdout)).toBe(client.acknowledged.length);
    }));

  it('is read-only answers 503 store-read-only, reads on, and takes changes when it is writable', (context) =>
    onDisk(context, '10m', async (disk) => {
      const file = `${disk}/a.db`;
      const client = new Client(await serve(file));
      expect(await client.create()).toBe('201');
      expect((await client.server.checkpoint()).status).toBe(200);
      remount(disk, 'ro');
      expect(await client.create()).toBe('503 store-read-only');
      expect(await client.create()).toBe('503 store-read-only');
      await client.holds();
      expect((await command('tags', 'list', '--no-hide-empty', '--format', 'count', '--db', file)).stdout).toBe('1\n');
      remount(disk, 'rw');
      expect(await client.create()).toBe('201');
      await ends(client, file);
    }));
});

describe('a command on a disk', { timeout: limit(60_000) }, () => {
  const rows: [line: string, exit: number, said: RegExp][] = [
    ['tags list --no-hide-empty --format count', 0, /^$/],
    ['db info', 0, /^$/],
    ['db check', 0, /^$/],
    ['tags create --name x', 7, /^calendar: .*read-only.*\n {2}Mount the file system read-write.*\n$/],
    ['settings set title x', 7, /^calendar: .*read-only.*\n {2}Mount the file system read-write.*\n$/],
    ['db checkpoint', 7, /^calendar: .*read-only.*\n {2}Mount the file system read-write.*\n$/],
    ['db repair --yes', 0, /^$/],
    ['db restore FILE --yes', 7, /^calendar: .*read-only.*\n {2}Mount the file system read-write.*\n$/],
  ];
  it('that is read-only reads what a crash left, and fails in one line where it would write', (context) =>
    onDisk(context, '10m', async (disk) => {
      const file = `${disk}/a.db`;
      const client = new Client(await serve(file));
      await client.create();
      await client.server.stop('SIGKILL');
      remount(disk, 'ro');
      await command('tags', 'create', '--name', 'a', '--db', `${disk}/../good.db`);
      for (const [line, exit, said] of rows) {
        const result = await command(...line.replace('FILE', `${disk}/../good.db`).split(' '), '--db', file);
        expect({ line, exit: result.exit, stdout: exit > 0 ? result.stdout : '' }).toEqual({ line, exit, stdout: '' });
        expect(result.stderr).toMatch(said);
      }
    }));

  it('that is full fails in one line and changes nothing', (context) =>
    onDisk(context, '400k', async (disk) => {
      const file = `${disk}/a.db`;
      expect((await command('tags', 'create', '--name', 'one', '--db', file)).exit).toBe(0);
      try {
        writeFileSync(`${disk}/more`, Buffer.alloc(400_000));
      } catch {}
      expect(await command('tags', 'create', '--name', 'another', '--db', file)).toEqual({
        stdout: '',
        stderr: expect.stringMatching(/^calendar: .*the disk is full.*\n {2}No acknowledged change is lost.*\n$/),
        exit: 7,
      });
      rmSync(`${disk}/more`);
      expect((await command('tags', 'list', '--no-hide-empty', '--format', 'count', '--db', file)).stdout).toBe('1\n');
      expect((await command('tags', 'create', '--name', 'another', '--db', file)).exit).toBe(0);
    }));
});

describe('a server whose file', { timeout: limit(60_000) }, () => {
  const withFile = (work: (file: string, client: Client) => Promise<void>) =>
    inFolder(async (folder) => {
      const file = `${folder}/a.db`;
      const client = new Client(await serve(file));
      expect(await client.create()).toBe('201');
      expect((await client.server.checkpoint()).status).toBe(200);
      expect(await client.create()).toBe('201');
      await work(file, client);
    });

  it('is removed answers 503 store-gone, can be saved by a backup, and goes on when it is back', () =>
    withFile(async (file, client) => {
      renameSync(file, `${file}.away`);
      expect(await client.create()).toBe('503 store-gone');
      await client.holds();
      expect(await command('db', 'backup', `${file}.saved`, '--db', file)).toEqual({ stdout: `${file}.saved\n`, stderr: '', exit: 0 });
      expect((await command('tags', 'list', '--no-hide-empty', '--format', 'count', '--db', `${file}.saved`)).stdout).toBe('2\n');
      expect(await command('db', 'checkpoint', '--db', file)).toMatchObject({
        stdout: '',
        exit: 7,
        stderr: expect.stringContaining('was removed'),
      });
      for (const name of readdirSync(dirname(file))) if (name.startsWith('a.db.saved')) rmSync(`${dirname(file)}/${name}`);
      renameSync(`${file}.away`, file);
      expect(await client.create()).toBe('201');
      await ends(client, file);
    }));

  it('is replaced by another calendar answers 503 store-gone and writes over neither', () =>
    withFile(async (file, client) => {
      await command('tags', 'create', '--name', 'other', '--db', `${dirname(file)}/other.db`);
      copyFileSync(file, `${file}.away`);
      renameSync(`${dirname(file)}/other.db`, file);
      expect(await client.create()).toBe('503 store-gone');
      await client.holds();
      execFileSync('cp', ['-p', file, `${file}.other`]);
      renameSync(`${file}.away`, file);
      expect(await client.create()).toBe('201');
      expect((await command('tags', 'list', '--no-hide-empty', '--format', 'count', '--db', `${file}.other`)).stdout).toBe('1\n');
      rmSync(`${file}.other`);
      await ends(client, file);
    }));

  it('is changed by another program answers 503 store-changed', () =>
    withFile(async (file, client) => {
      copyFileSync(file, `${file}.away`);
      writeFileSync(file, 'something else');
      expect(await client.create()).toBe('503 store-changed');
      await client.holds();
      renameSync(`${file}.away`, file);
      expect(await client.create()).toBe('201');
      await ends(client, file);
    }));

  it('lies in a folder that is moved away answers 503 store-gone, and goes on when it is back', () =>
    inFolder(async (folder) => {
      mkdirSync(`${folder}/in`);
      const file = `${folder}/in/a.db`;
      const client = new Client(await serve(file));
      expect(await client.create()).toBe('201');
      expect((await client.server.checkpoint()).status).toBe(200);
      renameSync(`${folder}/in`, `${folder}/out`);
      expect(await client.create()).toBe('503 store-gone');
      await client.holds();
      renameSync(`${folder}/out`, `${folder}/in`);
      expect(await client.create()).toBe('201');
      await ends(client, file);
    }));

  it('lies in a folder that it may not write to any more answers 503 store-read-only', (context) =>
    inFolder(async (folder) => {
      // root can write everywhere, so the server runs as another user.
      const root = process.getuid?.() === 0;
      if (root && !existsSync('/usr/bin/setpriv')) return context.skip('needs setpriv');
      chmodSync(folder, 0o755);
      mkdirSync(`${folder}/in`);
      if (root) chownSync(`${folder}/in`, 65_534, 65_534);
      const file = `${folder}/in/a.db`;
      const client = new Client(await serve(file, [], root ? ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups'] : []));
      expect(await client.create()).toBe('201');
      expect((await client.server.checkpoint()).status).toBe(200);
      chmodSync(`${folder}/in`, 0o555);
      expect(await client.create()).toBe('503 store-read-only');
      await client.holds();
      chmodSync(`${folder}/in`, 0o755);
      expect(await client.create()).toBe('201');
      expect(statSync(file).mode & 0o777).toBe(0o600);
      await ends(client, file);
    }));

  it.each(['SIGTERM', 'SIGINT'] as const)('is left alone and whole by %s under load', (signal) =>
    withFile(async (file, client) => {
      const load = [0, 1, 2, 3, 4, 5, 6, 7].map(async () => {
        for (;;) if ((await client.create()) !== '201') throw new Error('refused');
      });
      await expect.poll(() => client.acknowledged.length, { timeout: limit(20_000) }).toBeGreaterThan(8);
      const [code] = await Promise.all([client.server.stop(signal), Promise.allSettled(load)]);
      expect(code).toBe(0);
      expect(readdirSync(dirname(file))).toEqual(['a.db']);
      const { stdout } = await command('tags', 'list', '--no-hide-empty', '--all', '--format', 'tsv', '--fields', 'name', '--db', file);
      const there = new Set(stdout.trim().split('\n'));
      expect(client.acknowledged.filter((name) => !there.has(name))).toEqual([]);
    }),
  );
});

describe('a server that keeps less', { timeout: limit(60_000) }, () => {
  it('with --durability os loses nothing when it is killed', () =>
    inFolder(async (folder) => {
      const client = new Client(await serve(`${folder}/a.db`, ['--durability', 'os']));
      for (let i = 0; i < 20; i += 1) expect(await client.create()).toBe('201');
      await client.server.stop('SIGKILL');
      const { stdout } = await command('tags', 'list', '--no-hide-empty', '--format', 'count', '--db', `${folder}/a.db`);
      expect(stdout).toBe('20\n');
    }));

  it('with --durability none writes at the close and at a checkpoint; a backup has everything', () =>
    inFolder(async (folder) => {
      const file = `${folder}/a.db`;
      const client = new Client(await serve(file, ['--durability', 'none']));
      expect(await client.create()).toBe('201');
      expect(existsSync(file)).toBe(false);
      expect((await command('db', 'backup', `${folder}/saved.db`, '--db', file)).exit).toBe(0);
      expect((await command('tags', 'list', '--no-hide-empty', '--format', 'count', '--db', `${folder}/saved.db`)).stdout).toBe('1\n');
      expect((await command('db', 'checkpoint', '--db', file)).exit).toBe(0);
      expect(existsSync(file)).toBe(true);
      expect(await client.create()).toBe('201');
      await ends(client, file);
    }));
});
