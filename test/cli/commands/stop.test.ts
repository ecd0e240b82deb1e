import { afterAll, expect, it, vi } from 'vitest';
import { servers } from '../../support/serving.ts';
import { folder, run, words } from '../../support/transcript.ts';

const { path: cwd, remove } = folder();
afterAll(remove);
const serve = servers(cwd);
// In this process, also where others run the bundle: a server of a test is in this process, which a bundle would stop.
const at = (line: string) => run(words(line), { cwd, interrupted: new AbortController().signal });

it.each([
  ['a file without a server', 'stop --db none.db', 5, /No server is running for .*none\.db\n.*in memory by its address/],
  ['an address without a server', 'stop http://127.0.0.1:9', 5, /No server is running for http:\/\/127\.0\.0\.1:9/],
  ['another machine', 'stop http://192.0.2.1:8787', 2, /is not on this machine\n.*where it was started/],
  ['all, and an address', 'stop --all http://127.0.0.1:9', 2, /Use either --all or the address of a server, not both/],
  ['all, and a file', 'stop --all --db none.db', 2, /Use either --all or the address of a server, not both/],
])('stop of %s fails', async (_what, line, exit, message) => {
  expect(await at(line)).toEqual({ exit, stdout: '', stderr: expect.stringMatching(message) });
});

it('stop --all of a folder without servers says so, and succeeds', async () => {
  expect(await at('stop --all')).toEqual({
    exit: 0,
    stdout: '',
    stderr: expect.stringMatching(/^calendar: No server runs in the background for .*\n$/),
  });
});

it.each(['by its file', 'by its address'])('stop %s ends the process that serves, and waits for that', async (how) => {
  const server = await serve('--db served.db');
  const kill = vi.spyOn(process, 'kill').mockImplementation(() => {
    void server.stop();
    return true;
  });
  const { exit, stderr } = await at(how === 'by its file' ? 'stop --db served.db' : `stop ${server.said.url}`);
  expect(kill.mock.calls.filter(([, signal]) => signal !== 0)).toEqual([[process.pid, 'SIGTERM']]);
  kill.mockRestore();
  expect([exit, stderr]).toEqual([0, expect.stringMatching(/^calendar: Stopped http:.* \(process \d+\)\n$/)]);
  await expect(fetch(server.said.url)).rejects.toThrow();
});
