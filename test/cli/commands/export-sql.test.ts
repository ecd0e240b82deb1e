import { afterAll, expect, it } from 'vitest';
import { served } from '../../support/served.ts';
import { folder, run, words } from '../../support/transcript.ts';

const { path: cwd, remove } = folder();
afterAll(remove);

it('a server exports no SQL, and the hint names what works', async () => {
  const server = await served();
  try {
    const { exit, stdout, stderr } = await run(words(`export --format sql --url ${server.url}`), { cwd });
    expect([exit, stdout]).toEqual([4, '']);
    expect(stderr).toMatch(/does not export SQL.*\n.*--db FILE.*--format json/);
    expect((await run(words(`export --format json --url ${server.url}`), { cwd })).exit).toBe(0);
  } finally {
    await server.close();
  }
});
