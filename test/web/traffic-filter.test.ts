import { expect, it } from 'vitest';
import type { RequestSummary } from '../../src/model/operations/requests.ts';
import { compareLines } from '../../src/web/app/traffic/diff.ts';
import { parseFilter, withWorld, worldIn } from '../../src/web/app/traffic/filter.ts';

const request: RequestSummary = {
  id: 7,
  time: '2027-03-01T09:00:00.000Z',
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
