import { expect, it } from 'vitest';
import type { RequestSummary } from '../../src/model/operations/requests.ts';
import { compareLines } from '../../src/web/app/traffic/diff.ts';
import { parseFilter } from '../../src/web/app/traffic/filter.ts';

const request: RequestSummary = {
  id: 7,
  time: '2027-03-01T09:00:00.000Z',
  method: 'POST',
  path: '/calendar/events/v1/events',
  query: 'search=jazz',
  status: 404,
  fault: null,
  took: 12.5,
  user: 'ana',
  reason: null,
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
