import { createWriteStream, existsSync, mkdirSync, writeFileSync } from 'node:fs';
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
    ['export -o /nonexistent/x.json', 3, 'cannot write /nonexistent/x.json: there is no such file or folder'],
    ['export -o a-folder.json', 2, 'a-folder.json: it is a folder'],
    ['import nowhere.json', 3, 'nowhere.json: there is no such file'],
    ['import a-folder.json', 2, 'a-folder.json: it is no file'],
    ['events create --data @nowhere.json', 3, 'nowhere.json: there is no such file'],
    ['request POST /tags --data @a-folder.json', 2, 'a-folder.json: it is a folder'],
    ['serve --users nowhere.json --memory --port 0', 3, 'nowhere.json: there is no such file'],
    ['db backup /nonexistent/x.db', 3, '/nonexistent'],
    ['events list --db /nonexistent/x.db', 3, '/nonexistent'],
    ['seed minimal --db /nonexistent/x.db', 3, '/nonexistent'],
    ['seed picture --append', 2, 'picture'],
    ['import picture', 2, 'is not UTF-8 text'],
    ['import picture --format csv', 2, 'is not UTF-8 text'],
    ['import picture --format ics', 2, 'is not UTF-8 text'],
    ['import picture --format ndjson', 2, 'is not UTF-8 text'],
    ['import picture --format json', 2, 'is not UTF-8 text'],
    ['validate picture', 2, 'is not UTF-8 text'],
    ['events create --data @picture', 2, '--data is not JSON'],
    ['db restore picture --yes', 2, 'picture'],
  ])('%s', async (line, exit, says) => {
    const { stdout, stderr, exit: code } = await calendar(line);
    expect(stderr).toContain(says);
    expect(stderr).not.toContain('should not happen');
    expect(stderr.trimEnd().split('\n').length).toBeLessThanOrEqual(2);
    expect([stdout, code]).toEqual(['', exit]);
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
    expect(stderr).toMatch(/^(calendar: |.*"message":")cannot write the output: the disk is full[^\n]*\n$/);
    expect(exit).toBe(7);
  });

  it('a failure has its exit code though nobody can be told', async () => {
    const stderr = createWriteStream('/dev/full');
    expect((await calendar('events get nowhere', { stderr })).exit).toBe(3);
  });
});
