import { expect, it } from 'vitest';
import type { JournaledRequest } from '../../src/model/operation-types.ts';
import { isFailed } from '../../src/model/operations/request-outcome.ts';
import { clientName } from '../../src/web/app/traffic/client.ts';
import { compareLines } from '../../src/web/app/traffic/diff.ts';
import { parseFilter, withWorld, worldIn } from '../../src/web/app/traffic/filter.ts';

const request: JournaledRequest = {
  id: 7,
  time: '2027-03-01T09:00:00.000Z',
  now: '2027-03-01T09:00:00.000Z',
  method: 'POST',
  path: '/calendar/events/v1/events',
  query: 'search=jazz',
  status: 404,
  fault: null,
  aborted: false,
  took: 12.5,
  user: 'ana',
  reason: null,
  client: null,
};

it.each([
  ['', true],
  ['status>=400', true],
  ['failed:yes', true],
  ['failed:no', false],
  ['status:4xx', true],
  ['status:5xx', false],
  ['status=404,500', true],
  ['method:post path:/events', true],
  ['method:GET,PUT', false],
  ['path:/calendar*events', true],
  ['path:/ev*', true],
  ['path:/venues*', false],
  ['took>10 took<13', true],
  ['-user:ana', false],
  ['jazz POST', true],
  ['"search=jazz"', true],
  ['-jazz', false],
  ['world=server', true],
  ['world:check', false],
])('the filter %j matches: %j', (text, matches) => {
  const { test, problem } = parseFilter(text);
  expect([test(request), problem]).toEqual([matches, undefined]);
});

it.each([
  ['color:red', /Unknown name “color”/],
  ['status>=', /Missing value/],
  ['status>x', /requires a number/],
])('the filter %j is invalid', (text, problem) => expect(parseFilter(text).problem).toMatch(problem));

it('compares texts line by line', () => {
  const lines = compareLines(['a', 'b', 'c', 'd'], ['a', 'x', 'c', 'e', 'd']);
  expect(lines.map(({ kind, text }) => `${kind[0]}${text}`)).toEqual(['sa', 'rb', 'ax', 'sc', 'ae', 'sd']);
});

it('finds requests of a world by its ID', () => {
  const inWorld = { ...request, world: { id: 'checkout-1a2b', name: 'checkout' } };
  expect(['world:checkout', 'world=checkout-1a2b', 'world=server', '-world=server'].map((text) => parseFilter(text).test(inWorld))).toEqual(
    [true, true, false, true],
  );
});

it.each([
  ['status>=400', 'checkout', 'status>=400 world=checkout'],
  ['world=server status>=400', 'checkout', 'status>=400 world=checkout'],
  ['status>=400 world=checkout', '', 'status>=400'],
  ['', 'server', 'world=server'],
])('the filter %j narrowed to %j is %j', (text, id, narrowed) => {
  expect([withWorld(text, id), worldIn(narrowed)]).toEqual([narrowed, id || undefined]);
});

it.each([
  [{ status: 200, fault: null, aborted: false }, false],
  [{ status: null, fault: null, aborted: false }, false],
  [{ status: 304, fault: null, aborted: false }, false],
  [{ status: 400, fault: null, aborted: false }, true],
  [{ status: 200, fault: 'empty', aborted: false }, true],
  [{ status: null, fault: 'reset', aborted: false }, true],
  [{ status: null, fault: null, aborted: true }, true],
] as const)('a request that ended with %j failed: %j', (parts, isBad) => expect(isFailed({ ...request, ...parts })).toBe(isBad));

it.each([
  ['Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/140.0.0.0 Safari/537.36', 'Chrome'],
  ['Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36', 'Chrome'],
  ['Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0', 'Edge'],
  ['Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36 OPR/120.0.0.0', 'Opera'],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/140.0 Mobile/15E148 Safari/604.1',
    'Chrome',
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) FxiOS/140.0 Mobile/15E148 Safari/605.1.15',
    'Firefox',
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 EdgiOS/140.0 Mobile/15E148 Safari/605.1.15',
    'Edge',
  ],
  ['Mozilla/5.0 (Macintosh; Intel Mac OS X 14.0; rv:140.0) Gecko/20100101 Firefox/140.0', 'Firefox'],
  ['Mozilla/5.0 (Macintosh; Intel Mac OS X 14_0) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Safari/605.1.15', 'Safari'],
  ['Mozilla/5.0 (linux) AppleWebKit/537.36 (KHTML, like Gecko) jsdom/26.0.0', 'jsdom'],
  ['local-calendar/2.0.0', 'calendar'],
  ['curl/8.0', 'curl'],
  [null, ''],
])('%s is %s', (client, name) => expect(clientName(client)).toBe(name));
