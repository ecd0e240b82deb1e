import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Served, served } from '../../support/served.ts';
import { folder, run } from '../../support/transcript.ts';

const home = folder();
let server: Served;
beforeAll(async () => {
  server = await served();
});
afterAll(async () => {
  home.remove();
  await server.close();
});
const document = async (...args: string[]) => {
  const { exit, stdout, stderr } = await run(['openapi', ...args], { cwd: home.path });
  expect([exit, stderr]).toEqual([0, '']);
  return JSON.parse(stdout);
};

it('needs no calendar, and makes none', async () => {
  const { openapi, servers, paths } = await document();
  expect([openapi, servers[0].url]).toEqual(['3.1.0', 'http://127.0.0.1:8787/calendar/events/v1']);
  expect(Object.keys(paths)).toEqual(expect.arrayContaining(['/events/{id}', '/_calendar/reset']));
  expect((await run(['events', 'list'], { cwd: home.path })).exit).toBe(3);
});
it('has the given address, namespace and headers', async () => {
  const told = ['--server', 'https://example.org/wp-json/', '--namespace', 'brand/events/v1', '--header-prefix', 'X-Brand'];
  const { servers, paths } = await document(...told);
  expect(servers[0].url).toBe('https://example.org/wp-json/brand/events/v1');
  expect(Object.keys(paths['/events'].get.responses[200].headers)).toContain('X-Brand-Total');
});
it('is the document of a server', async () => {
  const answer = await fetch(`${server.url}/openapi.json`);
  expect(await document('--url', server.url)).toEqual(await answer.json());
});
it.each([['nonsense'], ['ftp://example.org']])('%s is not an address', async (url) => {
  const { exit, stdout, stderr } = await run(['openapi', '--server', url], { cwd: home.path });
  expect([exit, stdout]).toEqual([2, '']);
  expect(stderr).toContain('http or https URL');
});
