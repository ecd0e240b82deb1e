import fc from 'fast-check';

const some = <T>(values: fc.Arbitrary<T>, maxLength = 3) => fc.uniqueArray(values, { minLength: 1, maxLength });
const span = (min: number, max: number) => fc.integer({ min, max }).filter((value) => value !== 0);
const weekday = fc.constantFrom('MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU');
/** The parts of a rule, by its frequency (the table in RFC 5545, 3.3.10); numbered weekdays apart, since libraries mix them with plain ones in their own ways, and without the weeks at the turn of a year, which the other library does not find. */
const numbered = (most: number) => some(fc.tuple(span(-most, most), weekday).map(([nth, day]) => `${nth}${day}`));

const part = (name: string, values: fc.Arbitrary<readonly (string | number)[]>) => values.map((list) => `${name}=${list.join(',')}`);
const maybe = (...parts: fc.Arbitrary<string>[]) =>
  fc.tuple(...parts.map((each) => fc.option(each, { nil: '', freq: 1 }))).map((found) => found.filter(Boolean));

const month = part('BYMONTH', some(fc.integer({ min: 1, max: 12 })));
const monthDay = part('BYMONTHDAY', some(span(-31, 31)));
const plainDay = part('BYDAY', some(weekday));
const hour = part('BYHOUR', some(fc.nat(23)));
const minute = part('BYMINUTE', some(fc.nat(59)));

const byFrequency = fc.oneof(
  fc.tuple(fc.constant('YEARLY'), maybe(month, fc.oneof(plainDay, part('BYDAY', numbered(5))), hour)),
  fc.tuple(fc.constant('YEARLY'), maybe(month, monthDay, plainDay)),
  fc.tuple(fc.constant('YEARLY'), fc.tuple(fc.oneof(part('BYYEARDAY', some(span(-366, 366))), part('BYDAY', numbered(53))))),
  fc.tuple(fc.constant('YEARLY'), fc.tuple(part('BYWEEKNO', some(span(2, 51))), plainDay)),
  fc.tuple(fc.constant('MONTHLY'), maybe(month, fc.oneof(plainDay, part('BYDAY', numbered(5))), monthDay, minute)),
  fc.tuple(fc.constant('WEEKLY'), maybe(month, plainDay, hour)),
  fc.tuple(fc.constant('DAILY'), maybe(month, monthDay, plainDay, hour, minute)),
  fc.tuple(fc.constantFrom('HOURLY', 'MINUTELY'), maybe(month, plainDay, hour, minute)),
);

/** Any rule, and a moment at which it starts. */
export const rrules = fc
  .record({
    by: byFrequency,
    interval: fc.oneof({ arbitrary: fc.constant(1), weight: 2 }, fc.integer({ min: 2, max: 5 })),
    count: fc.option(fc.integer({ min: 1, max: 12 })),
    week: fc.option(weekday),
    start: fc.integer({ min: Date.UTC(1990, 0) / 60_000, max: Date.UTC(2030, 0) / 60_000 }),
  })
  .map(({ by: [freq, parts], interval, count, week, start }) => ({
    text: [`FREQ=${freq}`, `INTERVAL=${interval}`, ...parts, ...(count ? [`COUNT=${count}`] : []), ...(week ? [`WKST=${week}`] : [])].join(
      ';',
    ),
    start: new Date(start * 60_000).toISOString().slice(0, 19).replace('T', ' '),
  }));
