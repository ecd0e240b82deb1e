import { describe, expect, it } from 'vitest';
import type { EventRecord } from '../../src/model/resources/record-types.ts';
import { daysFrom } from '../../src/model/time/days.ts';
import { type Block, blocksOf } from '../../src/web/app/calendar/grid/cascade.ts';
import { barsOf, fitBars } from '../../src/web/app/calendar/grid/lanes.ts';
import { type EventSpan, eventSpan, isBar } from '../../src/web/app/calendar/span.ts';

const week = daysFrom('2027-03-01', 7);
let id = 0;
const span = (from: string, to: string, allDay = false): EventSpan =>
  eventSpan(
    { id: ++id, all_day: allDay, timezone: 'UTC', start_date: from, end_date: to, utc_start_date: from, utc_end_date: to } as EventRecord,
    'UTC',
  );

describe('bars of a week', () => {
  it.each([
    ['one day', [['2027-03-02 10:00:00', '2027-03-02 11:00:00']], ['1-1 in 0']],
    ['starts before and ends after the week', [['2027-02-01 00:00:00', '2027-04-01 23:59:59']], ['0-6 in 0 <>']],
    ['another week', [['2027-03-08 00:00:00', '2027-03-08 01:00:00']], []],
    ['ends at midnight', [['2027-03-02 22:00:00', '2027-03-03 00:00:00']], ['1-1 in 0']],
    [
      'overlapping',
      [
        ['2027-03-01 00:00:00', '2027-03-03 23:59:59'],
        ['2027-03-02 00:00:00', '2027-03-05 23:59:59'],
        ['2027-03-04 00:00:00', '2027-03-04 23:59:59'],
      ],
      ['0-2 in 0', '1-4 in 1', '3-3 in 0'],
    ],
  ])('%s', (_, spans, bars) => {
    const result = barsOf(
      spans.map(([from, to]) => span(from!, to!)),
      week,
    );
    expect(result.map((bar) => `${bar.start}-${bar.end} in ${bar.lane}${bar.before ? ' <' : ''}${bar.after ? '>' : ''}`)).toEqual(bars);
  });

  it('counts hidden bars per day', () => {
    const days = [...Array(5)].map(() => span('2027-03-01 10:00:00', '2027-03-01 11:00:00'));
    const bars = barsOf([...days, span('2027-03-01 00:00:00', '2027-03-02 23:59:59', true)], week);
    const { shown, hidden } = fitBars(bars, 3, 7);
    expect([shown.length, hidden]).toEqual([2, [4, 0, 0, 0, 0, 0, 0]]);
  });
});

describe('blocks of a day', () => {
  it.each([
    [
      'consecutive',
      [
        ['09:00', '10:00'],
        ['10:00', '11:00'],
      ],
      ['540-600 1/1', '600-660 1/1'],
    ],
    [
      'side by side',
      [
        ['09:00', '11:00'],
        ['10:00', '12:00'],
        ['11:00', '12:00'],
      ],
      ['540-660 1-1.7/2', '600-720 2/2', '660-720 1/2'],
    ],
    [
      'extends over a free column',
      [
        ['09:00', '12:00'],
        ['09:00', '10:00'],
        ['09:30', '11:00'],
        ['10:00', '11:00'],
        ['11:00', '12:00'],
      ],
      ['540-720 1/3', '540-600 2/3', '570-660 3/3', '600-660 2/3', '660-720 2-3/3'],
    ],
    ['no duration', [['09:00', '09:00']], ['540-570 1/1']],
    ['at midnight', [['00:00', '00:30']], ['0-30 1/1']],
    ['the last minute', [['23:59', '23:59']], ['1410-1440 1/1']],
  ])('%s', (_, times, blocks) => {
    const spans = times.map(([from, to]) => span(`2027-03-02 ${from}:00`, `2027-03-02 ${to}:00`));
    const columnsOf = ({ column, columns, visible }: Block) => `${[...new Set([column + 1, column + visible.width])].join('-')}/${columns}`;
    expect(blocksOf(spans, '2027-03-02').blocks.map((block) => `${block.from}-${block.to} ${columnsOf(block)}`)).toEqual(blocks);
  });

  describe('a cascade', () => {
    const talks = (times: readonly string[][]) => times.map(([from, to]) => span(`2027-03-02 ${from}:00`, `2027-03-02 ${to}:00`));
    const parallel = (count: number, from = '09:00', to = '10:00') => talks(Array.from({ length: count }, () => [from, to]));

    it('extends each block below the next one, and the last one to the edge', () => {
      const { blocks } = blocksOf(parallel(3), '2027-03-02');
      expect(blocks.map(({ column, width, visible }) => [column, width, visible])).toEqual([
        [0, 1.7, { width: 1, to: 600 }],
        [1, 1.7, { width: 1, to: 600 }],
        [2, 1, { width: 1, to: 600 }],
      ]);
    });

    it('shows the full width above a block that starts later', () => {
      const { blocks } = blocksOf(
        talks([
          ['09:00', '12:00'],
          ['10:00', '11:00'],
        ]),
        '2027-03-02',
      );
      expect(blocks.map(({ width, visible }) => [width, visible])).toEqual([
        [1.7, { width: 1.7, to: 600 }],
        [1, { width: 1, to: 660 }],
      ]);
    });

    it.each([
      [5, 5, 0],
      [6, 4, 2],
      [13, 4, 9],
    ])('of %i events in at most 5 columns has %i, and counts %i', (count, shown, hidden) => {
      const { blocks, crowds } = blocksOf(parallel(count), '2027-03-02', 5);
      expect([blocks.length, blocks[0]!.columns, crowds.flatMap(({ spans }) => spans).length]).toEqual([shown, shown, hidden]);
    });

    it('counts hidden events by the hour, so that the counts don’t overlap', () => {
      const { crowds } = blocksOf(
        [...parallel(3, '09:55', '11:00'), ...parallel(3, '10:05', '11:00'), ...parallel(2, '10:55', '12:00')],
        '2027-03-02',
        2,
      );
      expect(crowds.map(({ from, spans }) => [from, spans.length])).toEqual([
        [595, 5],
        [655, 2],
      ]);
    });
  });

  it('an event past midnight has a block on both days', () => {
    const late = span('2027-03-02 22:00:00', '2027-03-03 02:00:00');
    expect(isBar(late)).toBe(false);
    expect(['2027-03-02', '2027-03-03'].map((day) => blocksOf([late], day).blocks.map(({ from, to }) => [from, to]))).toEqual([
      [[1320, 1440]],
      [[0, 120]],
    ]);
  });
});

describe('the days of an event in another time zone', () => {
  const event = (timezone: string, utc: string, wall: string, all_day = false) =>
    ({ id: 1, all_day, timezone, start_date: wall, end_date: wall, utc_start_date: utc, utc_end_date: utc }) as EventRecord;
  it.each([
    ['same zone', event('Europe/Amsterdam', '2027-03-01 09:00:00', '2027-03-01 10:00:00'), '2027-03-01 10:00:00'],
    ['11 hours behind', event('UTC-11', '2027-03-02 09:00:00', '2027-03-01 22:00:00'), '2027-03-02 10:00:00'],
    [
      'all-day events keep their date',
      event('Pacific/Auckland', '2027-02-28 11:00:00', '2027-03-01 00:00:00', true),
      '2027-03-01 00:00:00',
    ],
    ['after a change of the UTC offset', event('America/New_York', '2027-03-28 01:30:00', '2027-03-27 21:30:00'), '2027-03-28 03:30:00'],
  ])('%s', (_, input, from) => expect(eventSpan(input, 'Europe/Amsterdam').from).toBe(from));
});
