import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { served } from '../../support/served.ts';
import { folder, type Given, run, words } from '../../support/transcript.ts';

// Deleting several records, and emptying a calendar that undo cannot restore, asks on a terminal and requires --yes elsewhere.
const place = folder();
const at = (line: string, given: Given = {}) => run(words(line), { cwd: place.path, ...given });
afterAll(place.remove);

beforeEach(async () => {
  await at('reset --yes');
  const inputs = ['One', 'Two', 'Three'].map((title) => ({ title, start_date: '2027-01-01', end_date: '2027-01-01' }));
  await at('events create --data -', { stdin: JSON.stringify(inputs) });
  await at('db backup copy.db --force');
});
const left = async () => (await at('events list --format count')).stdout.trim();

describe.each([
  ['events delete one two', 'Move 2 events to the trash?', '1', /^Moved event \d+ \(One\) to the trash\nMoved event/],
  ['db restore copy.db', 'Replace ', '3', /The old file is/],
])('%s', (line, question, after, said) => {
  it('requires --yes without a terminal', async () => {
    const { stdout, stderr, exit } = await at(line);
    expect({ stdout, exit }).toEqual({ stdout: '', exit: 2 });
    expect(stderr).toContain(question);
    expect(stderr).toContain('Pass --yes.');
    expect(await left()).toBe('3');
  });
  it('asks on a terminal', async () => {
    const no = await at(line, { typing: true, stdin: 'n\n', columns: 80 });
    expect(no.stderr).toContain(question);
    expect([no.exit, await left()]).toEqual([0, '3']);
  });
  it('does it with --yes', async () => {
    const done = await at(`${line} --yes`);
    expect(done.exit).toBe(0);
    expect(done.stdout).toMatch(said);
    expect(await left()).toBe(after);
  });
});

describe.each([
  ['reset', 'Delete all records in', '0'],
  ['seed minimal --replace', 'Replace all records with minimal?', '1'],
])('%s', (line, question, after) => {
  it('runs at once on a file, where undo restores the records', async () => {
    expect(await at(line)).toMatchObject({ exit: 0, stderr: expect.stringMatching(/Undo with: calendar undo\n$/) });
    expect(await left()).toBe(after);
    await at('undo');
    expect(await left()).toBe('3');
  });
  it('is confirmed on a server of a calendar in memory', async () => {
    const server = await served();
    try {
      const url = `--url ${server.url}`;
      await at(`tags create --name Kept ${url}`);
      expect(await at(`${line} ${url}`)).toMatchObject({ exit: 2, stdout: '', stderr: expect.stringContaining(question) });
      expect((await at(`tags list --format count ${url}`)).stdout).toBe('1\n');
      expect(await at(`${line} --yes ${url}`)).toMatchObject({
        exit: 0,
        stderr: expect.stringMatching(/This calendar has no undo\.\n$/),
      });
    } finally {
      await server.close();
    }
  });
});

it.each(['--quiet', '--json=id', '--format csv', ''])('deleting several records with %j prints how to undo it', async (output) => {
  const { stderr } = await at(`events delete one two --yes ${output}`);
  expect(stderr).toMatch(/calendar: Saved snapshot before-delete-\d+\. Undo with: calendar undo\n$/);
});

it('one name on stdin is one record', async () => {
  expect((await at('events delete -', { stdin: 'one\n' })).exit).toBe(0);
  expect(await at('events delete -', { stdin: 'two\nthree\n' })).toMatchObject({ stdout: '', exit: 2 });
  expect(await left()).toBe('2');
});

it('prints each of more records than a page of the trash has, once', async () => {
  const inputs = Array.from({ length: 60 }, (_, at) => ({ title: `Many ${at}`, start_date: '2027-02-01', end_date: '2027-02-01' }));
  await at('events create --data -', { stdin: JSON.stringify(inputs) });
  const ids = (await at('events list --search many --format ids --all')).stdout;
  const { stdout, exit } = await at('events delete - --yes --json=id,status', { stdin: `${ids}${ids}` });
  expect(exit).toBe(0);
  expect(JSON.parse(stdout)).toEqual(
    ids
      .trim()
      .split('\n')
      .map((id) => ({ id: Number(id), status: 'trash' })),
  );
  expect(await left()).toBe('3');
});

it.each([
  ['events delete one', 'Moved event'],
  ['users remove ada', 'Removed ada'],
])('%s runs without a terminal', async (line, said) => {
  await at('users add ada --role editor', { stdin: 'p' });
  expect(await at(line)).toMatchObject({ exit: 0, stdout: expect.stringContaining(said) });
});

it('a terminal prompts for the user', async () => {
  await at('users add ada --role editor', { stdin: 'p' });
  const { stdout, stderr } = await at('users remove ada', { typing: true, stdin: 'n\n', columns: 80 });
  expect([stdout, stderr.includes('Remove the user ada?')]).toEqual(['', true]);
  expect((await at('users list')).stdout).toContain('ada');
});
