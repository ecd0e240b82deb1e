import { execFileSync } from 'node:child_process';
import {
  createWriteStream,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { folder, run, words } from '../support/transcript.ts';

const place = folder();
const calendar = (line: string, more: Parameters<typeof run>[1] = {}) => run(words(line), { cwd: place.path, ...more });

beforeAll(async () => {
  await calendar('seed minimal');
  mkdirSync(join(place.path, 'a-folder.json'));
  // No text in any encoding: the beginning of a picture, and a byte that UTF-8 has not.
  writeFileSync(join(place.path, 'picture'), Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0xff, 0xfe]));
});
afterAll(place.remove);

describe('what the operating system refuses is one line with a documented exit code', () => {
  it.each([
    ['export -o /nonexistent/x.json', 3, 'cannot write /nonexistent/x.json: no such file or folder'],
    ['export -o a-folder.json', 2, 'a-folder.json: it is a folder'],
    ['import nowhere.json', 3, 'nowhere.json: no such file'],
    ['import a-folder.json', 2, 'a-folder.json: not a file'],
    ['events create --data @nowhere.json', 3, 'nowhere.json: no such file'],
    ['request POST /tags --data @a-folder.json', 2, 'a-folder.json: it is a folder'],
    ['serve --users nowhere.json --memory --port 0', 3, 'nowhere.json: no such file'],
    ['db backup /nonexistent/x.db', 3, '/nonexistent'],
    ['events list --db /nonexistent/x.db', 3, '/nonexistent'],
    ['seed minimal --db /nonexistent/x.db', 3, '/nonexistent'],
    ['seed picture --append', 2, 'picture'],
    ['import picture', 2, 'invalid UTF-8'],
    ['import picture --format csv', 2, 'invalid UTF-8'],
    ['import picture --format ics', 2, 'invalid UTF-8'],
    ['import picture --format ndjson', 2, 'invalid UTF-8'],
    ['import picture --format json', 2, 'invalid UTF-8'],
    ['validate picture', 2, 'invalid UTF-8'],
    ['events create --data @picture', 2, 'Invalid JSON in --data'],
    ['db restore picture --yes', 2, 'picture'],
  ])('%s', async (line, exit, says) => {
    const { stdout, stderr, exit: code } = await calendar(line);
    expect(stderr).toContain(says);
    expect(stderr).not.toContain('should not happen');
    expect(stderr.trimEnd().split('\n').length).toBeLessThanOrEqual(2);
    expect([stdout, code]).toEqual(['', exit]);
  });

  it.each(['', '-log', '-owner'])('an export is not written over the calendar itself: calendar.db%s', async (end) => {
    const { exit, stderr } = await calendar(`export -o ./calendar.db${end}`);
    expect([exit, stderr]).toEqual([6, expect.stringContaining('is the calendar itself')]);
    expect((await calendar('events list --format count')).stdout).toBe('1\n');
  });

  it.skipIf(process.platform === 'win32')(
    'an export goes through a link to the file, which keeps its rights, and leaves others be',
    async () => {
      const at = (name: string) => join(place.path, name);
      writeFileSync(at('real.json'), 'old', { mode: 0o640 });
      writeFileSync(at('real.json.part'), 'mine');
      symlinkSync('real.json', at('linked.json'));
      expect((await calendar('export -o linked.json')).exit).toBe(0);
      expect(lstatSync(at('linked.json')).isSymbolicLink()).toBe(true);
      expect([JSON.parse(readFileSync(at('real.json'), 'utf8')), statSync(at('real.json')).mode & 0o777]).toMatchObject([
        { events: {} },
        0o640,
      ]);
      expect(readFileSync(at('real.json.part'), 'utf8')).toBe('mine');
      expect(readdirSync(place.path).filter((name) => name.endsWith('.part'))).toEqual(['real.json.part']);
    },
  );

  it.skipIf(process.platform === 'win32')('an export into a pipe is written into it, and the pipe stays', async () => {
    const pipe = join(place.path, 'pipe');
    execFileSync('mkfifo', [pipe]);
    const [text, { exit }] = await Promise.all([readFile(pipe, 'utf8'), calendar('export --format json -o pipe')]);
    expect([exit, JSON.parse(text)]).toMatchObject([0, { events: {} }]);
    expect(statSync(pipe).isFIFO()).toBe(true);
  });

  it.skipIf(process.platform === 'win32')('a file of profiles that is a pipe is not waited for', async () => {
    const inside = join(place.path, 'inside');
    mkdirSync(inside);
    execFileSync('mkfifo', [join(inside, 'calendar.config.json')]);
    const { exit, stderr } = await calendar('events list', { cwd: inside });
    expect([exit, stderr]).toEqual([2, expect.stringContaining('calendar.config.json is not a file')]);
  });

  it
    .runIf(existsSync('/dev/full'))
    .each([
      '--help',
      '--version',
      'help formats',
      'events list',
      'events list --json --all',
      'events list --format csv',
      'export',
      'agenda',
      'month',
      'next',
      'settings list',
      'db info',
      'request GET /events',
      'completion bash',
      'serve --memory --port 0 --json',
    ])('%s > /dev/full', async (line) => {
    const { stderr, exit } = await calendar(line, { stdout: createWriteStream('/dev/full') });
    expect(stderr).toMatch(/^(calendar: |.*"message":")Could not write the output: the disk is full[^\n]*\n$/);
    expect(exit).toBe(7);
  });

  it('a failure keeps its exit code when stderr is closed', async () => {
    const stderr = createWriteStream('/dev/full');
    expect((await calendar('events get nowhere', { stderr })).exit).toBe(3);
  });
});
