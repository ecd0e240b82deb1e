import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { folder, run, words } from '../../support/transcript.ts';

const place = folder();
const at = (line: string) => run(words(line), { cwd: place.path });
afterAll(place.remove);
beforeAll(async () => {
  const events = ['2026-11-20 09:00', '2026-11-20 20:00', '2026-11-21 09:00', '2026-11-22 09:00'].map((start, index) => ({
    title: `Event ${index + 1}`,
    start_date: start,
    end_date: start,
  }));
  await at(`events create --data '${JSON.stringify(events)}'`);
  await at('tags create --name Unused');
  await at('categories create --name Unused');
});

describe('how many are listed', () => {
  it.each([
    ['events list --all --per-page 2', '8 9 10 11'],
    ['events list --all --limit 3 --per-page 2', '8 9 10'],
    ['events list --limit 1 --all', '8'],
    ['events list --page 2 --per-page 3', '11'],
  ])('%s', async (line, ids) => {
    const { stdout, exit } = await at(`${line} --format ids`);
    expect([stdout.trim().split('\n').join(' '), exit]).toEqual([ids, 0]);
  });
  it.each([
    ['events list --all --page 2', 'Use either --all or --page, not both'],
    ['venues list --limit 5 --page 2', 'Use either --limit or --page, not both'],
  ])('%s is refused', async (line, message) => {
    const { stdout, stderr, exit } = await at(line);
    expect([stdout, exit]).toEqual(['', 2]);
    expect(stderr).toContain(message);
  });
});

describe('terms without events', () => {
  it.each([
    ['tags list', 'unused\n'],
    ['categories list --all', 'unused\n'],
    ['tags list --hide-empty', ''],
    ['categories list --hide-empty', ''],
    ['tags list --no-hide-empty', 'unused\n'],
  ])('%s', async (line, slugs) => expect((await at(`${line} --template {{slug}}`)).stdout).toBe(slugs));
});

describe('the next command', () => {
  it.each([
    ['--from now', '9 10 11'],
    ['--start-date today', '8 9 10 11'],
    ['--starts-after today', '10 11'],
    ["--starts-after '2026-11-20 12:00'", '10 11'],
    ["--starts-after '2026-11-20 12:00' --strict-dates", '9 10 11'],
  ])('%s', async (line, ids) => {
    const { stdout } = await at(`events list ${line} --format ids`);
    expect(stdout.trim().split('\n').join(' ')).toBe(ids);
  });
  it('is said in the help', async () => {
    const { stdout } = await at('events list --help');
    expect(stdout).toContain('calendar events list --from now');
    expect(stdout).toMatch(/--starts-after <date>\s+Only events that start after this date/);
  });
});
