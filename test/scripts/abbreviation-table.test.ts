import { expect, it } from 'vitest';
import { readTzif, rowOf } from '../../scripts/abbreviation-table.ts';

/** A TZif file (RFC 8536, version 2) of one zone: its types, and changes to one of these at seconds of Unix time. */
function tzif(types: [offset: number, abbreviation: string][], changes: [at: number, type: number][]): Buffer {
  const letters = types.map(([, abbreviation]) => `${abbreviation}\0`);
  const block = (size: 4 | 8) => {
    const header = Buffer.alloc(44);
    header.write('TZif2');
    [0, 0, 0, changes.length, types.length, letters.join('').length].forEach((count, at) => {
      header.writeUInt32BE(count, 20 + at * 4);
    });
    const times = changes.map(([at]) => {
      const bytes = Buffer.alloc(size);
      if (size === 8) bytes.writeBigInt64BE(BigInt(at));
      else bytes.writeInt32BE(Math.max(at, -(2 ** 31)));
      return bytes;
    });
    const described = types.map(([offset], at) => {
      const bytes = Buffer.alloc(6);
      bytes.writeInt32BE(offset);
      bytes[5] = letters.slice(0, at).join('').length;
      return bytes;
    });
    return Buffer.concat([header, ...times, Buffer.from(changes.map(([, type]) => type)), ...described, Buffer.from(letters.join(''))]);
  };
  return Buffer.concat([block(4), block(8), Buffer.from('\n\n')]);
}
const day = 86_400;

it.each([
  [
    'two offsets',
    [
      [0, 'GMT'],
      [3600, 'BST'],
    ],
    [
      [10 * day, 1],
      [20 * day, 0],
    ],
    '0 GMT,1 BST',
  ],
  [
    'another name for the same offset',
    [
      [14_400, 'MSD'],
      [14_400, 'MSK'],
    ],
    [[15_059.5 * day, 1]],
    '4 MSD<15060/MSK',
  ],
  [
    'a name that ended before 1970',
    [
      [-3600, 'AZOT'],
      [-3600, 'AZOMT'],
    ],
    [[-5 * day, 1]],
    '-1 AZOMT',
  ],
  [
    'figures in between',
    [
      [10_800, 'MSK'],
      [10_800, '+03'],
      [10_800, 'MSK'],
    ],
    [
      [day, 1],
      [2 * day, 2],
    ],
    '3 MSK<1/<2/MSK',
  ],
  ['odd offsets', [[5794, 'RMT']], [], 's5794 RMT'],
  [
    'times beyond 32 bits',
    [
      [0, 'LMT'],
      [3600, 'CET'],
    ],
    [[-(2 ** 40), 1]],
    '1 CET',
  ],
  ['local mean time alone', [[1172, 'LMT']], [], ''],
  ['figures alone', [[10_800, '+03']], [], ''],
] as [string, [number, string][], [number, number][], string][])('%s', (_, types, changes, row) => {
  expect(rowOf(readTzif(tzif(types, changes))!)).toBe(row);
});

it('other files are not zones', () => expect(readTzif(Buffer.from('# version 2025b'))).toBeUndefined());
