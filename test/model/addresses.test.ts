import { isIP } from 'node:net';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { calendarPaths, isIpAddress } from '../../src/model/addresses.ts';

const almostAddress = fc
  .array(fc.constantFrom('0', '1', '9', '25', '255', '256', '01', 'a', 'F', 'fffff', ':', '::', '.', '1.2.3.4'), { maxLength: 12 })
  .map((parts) => parts.join(''));
const withDots = fc.array(fc.constantFrom('0', '7', '12', '100', '199', '249', '255', '256', '00', '1000', ''), {
  minLength: 3,
  maxLength: 5,
});
const withColons = fc.array(fc.constantFrom('0', 'ab', '12', 'FFFF', '10000', '', '1.2.3.4'), { minLength: 2, maxLength: 9 });

it('the texts that are IP addresses are those of Node', () => {
  const texts = fc.oneof(
    almostAddress,
    withDots.map((parts) => parts.join('.')),
    withColons.map((parts) => parts.join(':')),
    fc.ipV4(),
    fc.ipV6(),
    fc.domain(),
  );
  fc.assert(
    fc.property(texts, (text) => {
      expect([text, isIpAddress(text)]).toEqual([text, isIP(text) !== 0]);
    }),
    { numRuns: 2000 },
  );
});

it.each(['', '/wp-json', '/blog/wp-json'])(
  'with base path %j, the addresses of a calendar are below its paths, and those of an app are not',
  (basePath) => {
    const starts = calendarPaths(basePath, 'calendar/events/v1');
    const isBelow = (path: string) => starts.some((start) => `${path}/`.startsWith(`${start}/`));
    const own = ['/calendar/events/v1', '/calendar/events/v1/events/5', '/calendar.ics', '/wp/v2', '/wp/v2/media'].map(
      (path) => basePath + path,
    );
    expect([...own, '/_calendar', '/_calendar/health', '/_worlds/a'].filter((path) => !isBelow(path))).toEqual([]);
    expect(['/', '/about', '/calendar', '/wp', '/wp-jsonp', '/_calendars', '/data.json'].filter(isBelow)).toEqual([]);
  },
);
