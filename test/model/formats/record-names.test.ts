import { parse } from 'csv-parse/sync';
import { describe, expect, it } from 'vitest';
import { shownCostCell } from '../../../src/model/fields/cost.ts';
import { csvLine } from '../../../src/model/formats/csv.ts';
import { parseName, type RecordIdentifier, RecordNames, splitNames } from '../../../src/model/formats/record-names.ts';
import { resources } from '../../../src/model/resources/all.ts';

const record = (id: number, name: string, slug: string, more: Partial<RecordIdentifier> = {}): RecordIdentifier => ({
  id,
  name,
  slug,
  parent: 0,
  also: '',
  ...more,
});
const namesOf = (resource: 'venues' | 'categories' | 'tags', records: RecordIdentifier[]) => {
  const names = new RecordNames(resources[resource]);
  for (const each of records) names.add(each);
  return names;
};

describe('the cell of a record', () => {
  const venues = namesOf('venues', [
    record(1, 'Museum in the Park', 'museum-park'),
    record(2, 'Hall', 'hall'),
    record(3, 'Hall', 'hall-2'),
    record(4, 'Columbia, Room 614', 'columbia-room-614'),
    record(5, 'Arena (main)', 'arena-main'),
    record(6, '12', '12'),
    record(7, '"The Loft"', 'the-loft'),
    record(8, 'A > B', 'a-b'),
    record(9, 'Yard', 'yard'),
    record(10, 'YARD', 'makers'),
    record(11, 'main-hall', 'main-hall'),
    record(12, 'Main Hall', 'main-hall-2'),
    record(13, "Makers' Yard", 'makers-yard'),
    record(14, '', 'nameless'),
    record(15, 'Hall (hall)', 'hall-hall'),
    record(16, ' padded\u00a0', 'padded'),
    record(17, '日本語', '%e6%97%a5%e6%9c%ac%e8%aa%9e'),
  ]);
  it.each([
    [1, 'Museum in the Park'],
    [2, 'Hall (hall)'],
    [3, 'Hall (hall-2)'],
    [4, '"Columbia, Room 614"'],
    [5, '"Arena (main)"'],
    [6, '"12"'],
    [7, '"""The Loft"""'],
    [8, '"A > B"'],
    [9, 'Yard (yard)'],
    [10, '"YARD" (makers)'],
    [11, '"main-hall"'],
    [12, 'Main Hall'],
    [13, "Makers' Yard"],
    [14, '"" (nameless)'],
    [15, '"Hall (hall)"'],
    [16, '" padded\u00a0"'],
    [17, '日本語'],
  ])('%d is %s, and is found by it', (id, cell) => {
    expect(venues.cellOf(id)).toBe(cell);
    expect(venues.find(parseName(cell, false), true)?.id).toBe(id);
    expect(parse(csvLine([cell]), { relax_quotes: false })).toEqual([[cell]]);
  });

  it('is with its slug if it is one of several venues, because people write one name with separators', () => {
    expect(venues.cellOf(12, { isOneOfSeveral: true })).toBe('"Main Hall" (main-hall-2)'.replaceAll('"', ''));
    expect(venues.cellOf(1, { isOneOfSeveral: true })).toBe('"Museum in the Park" (museum-park)');
  });

  it.each([
    ['-5', '["-5"]'],
    ['€8 – €12', '€8 – €12'],
    ['', ''],
  ])('of a cost that is shown as %s is %s', (shown, cell) => expect(shownCostCell(shown)).toBe(cell));

  const categories = namesOf('categories', [
    record(1, 'Music', 'music'),
    record(2, 'Jazz', 'jazz', { parent: 1 }),
    record(3, 'Food', 'food'),
    record(4, 'Jazz', 'jazz-food', { parent: 3 }),
    record(5, 'Arts, Crafts > More', 'arts', { parent: 2 }),
    record(6, 'Soul', 'soul', { parent: 1 }),
  ]);
  it.each([
    [1, 'Music'],
    [2, 'Music > Jazz (jazz)'],
    [4, 'Food > "Jazz" (jazz-food)'],
    [5, 'Music > Jazz (jazz) > "Arts, Crafts > More"'],
    [6, 'Music > Soul'],
  ])('category %d is %s', (id, cell) => {
    expect(categories.cellOf(id)).toBe(cell);
    expect(categories.find(parseName(cell, true), true)?.id).toBe(id);
    expect(splitNames(`${cell}, ${cell}`)).toHaveLength(2);
  });

  it.each([
    ['Soul', 6],
    ['soul', 6],
    ['Music > soul', 6],
    ['Food > Soul', undefined],
    ['Food > Jazz', 4],
    ['Jazz', 2],
  ])('people find %s', (text, id) => expect(categories.find(parseName(text, true))?.id).toBe(id));

  it.each([
    ['Town Hall (annex)', [{ name: 'Town Hall (annex)', isQuoted: false }]],
    ['Town Hall (town-hall-2)', [{ name: 'Town Hall', slug: 'town-hall-2', isQuoted: false }]],
    ['"Town Hall" (annex)', [{ name: 'Town Hall', slug: 'annex', isQuoted: true }]],
    ['"The Loft"', [{ name: '"The Loft"', isQuoted: false }]],
    ['"a, b', [{ name: '"a, b', isQuoted: false }]],
    [
      'A > "B > C"',
      [
        { name: 'A', isQuoted: false },
        { name: 'B > C', slug: undefined, isQuoted: true },
      ],
    ],
  ])('%s is read as %j', (text, path) => expect(parseName(text, true)).toEqual(path));
});
