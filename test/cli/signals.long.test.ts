import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, openSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { program } from '../support/program.ts';
import { runMark } from '../support/run-mark.ts';
import { limit } from '../support/timeouts.ts';
import { calendarCommand, noTmux, RealTerminal } from '../support/tmux.ts';
import { folder, run } from '../support/transcript.ts';

const { path: cwd, remove } = folder();
afterAll(remove);

/** Makes a program report on stdout that it has read a part of its file. */
const sayingReads = `data:text/javascript,${encodeURIComponent(`
  import fs from 'node:fs';
  import { syncBuiltinESMExports } from 'node:module';
  const { readSync } = fs;
  let reads = 0;
  fs.readSync = (...given) => {
    reads += 1;
    if (reads === 10) fs.writeSync(1, 'reading');
    return readSync(...given);
  };
  syncBuiltinESMExports();
`)}`;

beforeAll(() => {
  const rows = Array.from({ length: 300_000 }, (_, at) => `Event ${at},2027-01-01 10:00,2027-01-01 11:00\n`);
  writeFileSync(join(cwd, 'events.csv'), `title,start_date,end_date\n${rows.join('')}`);
});

it.each([['import events.csv', 'SIGTERM'] as const, ['import events.csv', 'SIGINT'] as const, ['validate events.csv', 'SIGTERM'] as const])(
  '%s ends at once on %s, and leaves the calendar as it was',
  async (line, signal) => {
    await run(['tags', 'create', '--name', 'kept', '--db', 'a.db'], { cwd });
    const child = spawn(process.execPath, ['--import', sayingReads, ...program, ...line.split(' '), '--db', 'a.db'], {
      cwd,
      env: { ...runMark, PATH: process.env.PATH, HOME: cwd, CALENDAR_DB: 'a.db' },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let said = '';
    child.stdout.setEncoding('utf8').on('data', (text) => {
      said += text;
    });
    const ended = once(child, 'close') as Promise<[number | null, string | null]>;
    await Promise.race([once(child.stdout, 'data'), ended]);
    child.kill(signal);
    const [code, by] = await ended;
    // It said nothing of having come to the end.
    expect([by ?? code, said]).toEqual([signal, 'reading']);
    expect((await run(['tags', 'get', 'kept', '--format', 'ids', '--db', 'a.db'], { cwd })).exit).toBe(0);
    expect((await run(['events', 'list', '--format', 'count', '--db', 'a.db'], { cwd })).stdout).toBe('0\n');
  },
);

describe('temporary files', () => {
  /** Runs a command until its temporary folder has a file, sends a signal, and returns what is left. */
  const stopped = async (words: string[], signal: NodeJS.Signals, script = '') => {
    const temporary = mkdtempSync(join(cwd, 'temporary-'));
    const editor = join(temporary, '..', `editor-${script ? 'changes' : 'waits'}`);
    writeFileSync(editor, `#!/bin/sh\n${script}\necho $$ > "$1.open"\nexec sleep 60\n`, { mode: 0o755 });
    const child = spawn(process.execPath, [...program, ...words, '--db', 'a.db'], {
      cwd,
      env: { ...runMark, PATH: process.env.PATH, HOME: cwd, TMPDIR: temporary, EDITOR: editor },
      // A pipe would stay open as long as the editor.
      stdio: ['pipe', 'ignore', openSync(join(cwd, 'stderr'), 'w')],
    });
    child.stdin!.write('title,start_date\n');
    const ended = once(child, 'exit');
    const files = () => readdirSync(temporary, { recursive: true }).map(String);
    await expect.poll(files, { timeout: limit(10_000) }).toContainEqual(expect.stringMatching(words[0] === 'import' ? /data$/ : /\.open$/));
    const opened = files().find((name) => name.endsWith('.open'));
    const editorPid = opened && Number(readFileSync(join(temporary, opened), 'utf8'));
    child.kill(signal);
    const [code] = await ended;
    // The shell that started it has ended.
    if (editorPid) process.kill(editorPid);
    return { code, stderr: readFileSync(join(cwd, 'stderr'), 'utf8'), files: files() };
  };
  beforeAll(() => run(['tags', 'create', '--name', 'kept', '--db', 'a.db'], { cwd }));

  it.each([
    [['tags', 'edit', 'kept'], 'SIGTERM', 143],
    [['tags', 'edit', 'kept'], 'SIGINT', 130],
    [['tags', 'edit', 'kept'], 'SIGHUP', 129],
    [['import', '-', '--from', 'csv'], 'SIGTERM', 143],
    [['import', '-', '--from', 'csv'], 'SIGHUP', 129],
  ] as [string[], NodeJS.Signals, number][])('of %j are removed on %s', async (words, signal, code) => {
    expect(await stopped(words, signal)).toMatchObject({ code, files: [] });
  });

  it('of an editor are kept after a change, and named', async () => {
    const { stderr, files } = await stopped(['tags', 'edit', 'kept'], 'SIGTERM', `sed -i 's/"kept"/"changed"/' "$1"`);
    const [, kept] = /Your changes are in (\S+)\. Retry/.exec(stderr) ?? [];
    expect(readFileSync(kept!, 'utf8')).toContain('"changed"');
    expect(files).toHaveLength(3);
  });
});

describe('exec', () => {
  const exec = (...words: string[]) => [...program, 'exec', '--', ...words];
  const root = join(import.meta.dirname, '../..');
  const isRunning = (pid: string) => spawnSync('kill', ['-0', pid.trim()]).status === 0;

  it('passes standard input and output through unchanged', async () => {
    const child = spawn(process.execPath, exec('cat'), { cwd: root, stdio: ['pipe', 'pipe', 'inherit'] });
    const said: Buffer[] = [];
    child.stdout.on('data', (chunk) => said.push(chunk));
    const bytes = Buffer.from(Array.from({ length: 100_000 }, (_, i) => (i * 7) % 256));
    child.stdin.write(bytes);
    while (Buffer.concat(said).length < bytes.length) await new Promise((resolve) => setTimeout(resolve, 50));
    child.stdin.end('late');
    expect(await once(child, 'close')).toEqual([0, null]);
    expect(Buffer.concat(said).equals(Buffer.concat([bytes, Buffer.from('late')]))).toBe(true);
  });

  it('passes signals to the command, also a second one, and waits for its end', async () => {
    const script = `let n = 0;
      process.on('SIGINT', () => { n += 1; console.log('signal ' + n); if (n === 2) setTimeout(() => { console.log('cleaned up'); process.exit(7); }, 300); });
      console.log('up ' + process.env.CALENDAR_URL); setInterval(() => {}, 1000)`;
    const child = spawn(process.execPath, exec(process.execPath, '-e', script), { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] });
    let said = '';
    child.stdout.setEncoding('utf8').on('data', (text) => {
      said += text;
    });
    const says = (what: string) => expect.poll(() => said, { timeout: limit(20_000) }).toContain(what);
    await says('up ');
    child.kill('SIGINT');
    // Two that wait are one.
    await says('signal 1');
    child.kill('SIGINT');
    const [code] = await once(child, 'close');
    expect([code, said.includes('cleaned up')]).toEqual([7, true]);
    await expect(fetch(said.split(/\s/)[1]!)).rejects.toThrow();
  });

  it('that is killed with 9 leaves its port free', async () => {
    const script = "require('node:fs').writeSync(1, [process.env.CALENDAR_URL, process.pid].join(' ')); setTimeout(() => {}, 60_000)";
    const child = spawn(process.execPath, exec(process.execPath, '-e', script), { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] });
    const [said] = await once(child.stdout, 'data');
    const [url = '', pid = ''] = String(said).trim().split(' ');
    expect((await fetch(`${url}/events`)).status).toBe(200);
    child.kill('SIGKILL');
    await once(child, 'exit');
    const next = createServer().listen(Number(new URL(url).port), '127.0.0.1');
    await once(next, 'listening');
    next.close();
    // The command has lost its parent by then, and continues.
    process.kill(Number(pid), 'SIGKILL');
  });

  it('ends on Ctrl-C under npm test when its command does, and leaves nothing', { timeout: limit(120_000) }, async ({ skip }) => {
    skip(noTmux !== undefined, noTmux);
    const terminal = new RealTerminal(100, 30);
    try {
      const at = (name: string) => join(terminal.folder, name);
      const said = () => (existsSync(at('said')) ? readFileSync(at('said'), 'utf8') : '');
      writeFileSync(
        at('child.cjs'),
        `const say = (text) => require('node:fs').appendFileSync(${JSON.stringify(at('said'))}, text + '\\n');
        say([process.pid, process.ppid, process.env.CALENDAR_URL].join(' '));
        process.on('SIGINT', () => { say('interrupted'); setTimeout(() => { say('cleaned up'); process.exit(1); }, 500); });
        console.log('child is up');
        setInterval(() => {}, 1000);`,
      );
      writeFileSync(
        at('package.json'),
        JSON.stringify({ scripts: { test: `cd '${root}' && exec ${calendarCommand} exec -- node '${at('child.cjs')}'` } }),
      );
      terminal.type(`cd ${terminal.folder} && clear && npm test --loglevel=error; echo "done"\n`);
      await terminal.sees('child is up', limit(60_000));
      // Twice, as impatient people do.
      await terminal.press('C-c');
      await expect.poll(said, { timeout: limit(20_000) }).toContain('interrupted');
      await terminal.press('C-c');
      await expect.poll(said, { timeout: limit(20_000) }).toContain('cleaned up');
      const [first = '', ...rest] = said().trim().split('\n');
      const [pid = '', parent = '', url = ''] = first.split(' ');
      await expect.poll(() => [isRunning(pid), isRunning(parent)], { timeout: limit(20_000) }).toEqual([false, false]);
      expect(rest.filter((line) => line === 'interrupted')).toHaveLength(2);
      await expect(fetch(url)).rejects.toThrow();
    } finally {
      terminal.close();
    }
  });
});
