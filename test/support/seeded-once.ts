import { expect } from 'vitest';
import { run } from './transcript.ts';

/** Fails unless a seed fills a new file, is refused for one that has records, changes nothing with --upsert, and fills it again with --replace. */
export async function expectSeededOnce(name: string, cwd: string) {
  const calendar = (line: string) => run(`${line} --db ${name}.db`.split(' '), { cwd });
  const content = async () => (await calendar('export --format ndjson')).stdout;
  const first = await calendar(`seed ${name}`);
  expect(first).toMatchObject({ exit: 0, stdout: '', stderr: expect.stringMatching(/^calendar: .*: \d+ created\n$/) });
  const before = await content();
  const again = await calendar(`seed ${name}`);
  expect([again.exit, again.stderr]).toEqual([6, expect.stringContaining('--append, --replace or --upsert')]);
  // Equal records are numbered, so that a slug identifies one.
  const upserted = await calendar(`seed ${name} --upsert`);
  expect(upserted.stderr).toMatch(name === 'edge-cases' ? /unchanged/ : /^calendar: .*: \d+ unchanged\n$/);
  if (name !== 'edge-cases') expect(await content()).toBe(before);
  await calendar(`seed ${name} --replace --yes`);
  expect(Number((await calendar('events list --format count --status publish,draft,private,pending,future')).stdout)).toBeGreaterThan(0);
}
