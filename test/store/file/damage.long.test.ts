import { describe, expect, it } from 'vitest';
import { cases } from '../../support/cases.ts';
import { crashed, outcome } from '../../support/damage.ts';
import { inFolder } from '../../support/items.ts';
import { limit } from '../../support/timeouts.ts';

describe('a log', () => {
  it(
    'cut at any byte of its last three records gives every whole change before the cut, and says what it dropped',
    () =>
      inFolder(async (folder) => {
        const { file, log, states, ends } = await crashed(folder);
        const step = Math.ceil(2 / cases(1));
        for (let cut = ends[0]!; cut <= log.length; cut += ends.some((end) => Math.abs(end - cut) < 20) ? 1 : step) {
          const whole = ends.filter((end) => end <= cut).length;
          const { items, said, reason } = await outcome(`${folder}/cut.db`, file, log.subarray(0, cut));
          expect({ cut, items, reason }).toEqual({ cut, items: states[whole], reason: 'no failure' });
          expect(said.includes('incomplete record')).toBe(!ends.includes(cut));
        }
      }),
    limit(60_000),
  );

  it(
    'with any byte flipped is refused, or at its very end dropped and said, and is never served wrong',
    () =>
      inFolder(async (folder) => {
        const { file, log, states } = await crashed(folder);
        const reasons: Record<string, number> = {};
        for (let at = 0; at < log.length; at += 1) {
          const bad = Buffer.from(log);
          bad[at]! ^= 1 << (at % 8);
          const { items, said, reason } = await outcome(`${folder}/flip.db`, file, bad);
          reasons[reason] = (reasons[reason] ?? 0) + 1;
          if (reason === 'no failure') {
            expect(said).toContain('incomplete record');
            expect(states).toContainEqual(items);
          } else expect({ at, reason }).toEqual({ at, reason: 'damaged' });
        }
        expect(reasons).toEqual({ damaged: log.length });
      }),
    limit(60_000),
  );
});

describe('a file', () => {
  it(
    'with any byte flipped is refused by the number of the page, or accepted and said when only its checksums are hit',
    () =>
      inFolder(async (folder) => {
        const { file, states } = await crashed(folder);
        const pages = file.readUInt32BE(28);
        const content = pages * 4096;
        const step = Math.ceil(19 / cases(1));
        for (let at = 0; at < file.length; at += at < 200 || at > file.length - 100 ? 1 : step) {
          const bad = Buffer.from(file);
          bad[at]! ^= 1 << (at % 8);
          const { items, said, reason } = await outcome(`${folder}/flip.db`, bad, undefined);
          if (at < content) expect({ at, reason }).toEqual({ at, reason: 'damaged' });
          else {
            expect({ at, items, reason }).toEqual({ at, items: states[0], reason: 'no failure' });
            expect(said).toContain('checksums');
          }
        }
      }),
    limit(120_000),
  );
});
