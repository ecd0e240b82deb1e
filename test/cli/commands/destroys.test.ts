import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { folder, type Given, run, words } from '../../support/transcript.ts';

// What destroys asks on a terminal; elsewhere one record that is named goes at once, and several, or all, want --yes.
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
  ['reset', 'Delete all records in', '0', /^$/],
  ['seed minimal --replace', 'Replace all records by minimal?', '1', /^$/],
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

it('names on stdin are several, however many they are', async () => {
  expect(await at('events delete -', { stdin: 'one\n' })).toMatchObject({ stdout: '', exit: 2 });
  expect((await at('events delete - --yes', { stdin: 'one\n' })).exit).toBe(0);
  expect(await left()).toBe('2');
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
