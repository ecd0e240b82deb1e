import { describe, expect, it } from 'vitest';
import { between, createRandom, fraction, happens, oneOf, someOf } from '../../../src/model/generate/random.ts';

describe('chance from a seed', () => {
  it('is the same for the same seed, in every version', () => {
    const random = createRandom('1:events');
    expect(Array.from({ length: 8 }, () => between(random, 0, 99))).toEqual([8, 47, 78, 65, 3, 77, 96, 16]);
  });
  it.each(['', '1', '2', 'ä', '1:venues'])('differs from that of other seeds: %j', (seed) => {
    const numbers = (text: string) => {
      const random = createRandom(text);
      return Array.from({ length: 5 }, () => fraction(random));
    };
    expect(numbers(seed)).toEqual(numbers(seed));
    expect(numbers(seed)).not.toEqual(numbers(`${seed}!`));
  });
  it('stays in its bounds and reaches all of them', () => {
    const random = createRandom('bounds');
    const counts = new Map<number, number>();
    for (let at = 0; at < 6000; at++) {
      const number = between(random, -1, 4);
      counts.set(number, (counts.get(number) ?? 0) + 1);
    }
    expect([...counts.keys()].sort((a, b) => a - b)).toEqual([-1, 0, 1, 2, 3, 4]);
    for (const count of counts.values()) expect(Math.abs(count - 1000)).toBeLessThan(150);
  });
  it('chooses from lists', () => {
    const random = createRandom('lists');
    expect(['a', 'b']).toContain(oneOf(random, ['a', 'b']));
    expect(someOf(random, [1, 2, 3], 3).sort()).toEqual([1, 2, 3]);
    expect(someOf(random, [1, 2], 5).length).toBeLessThanOrEqual(2);
    expect(someOf(random, [], 2)).toEqual([]);
    expect([happens(random, 0), happens(random, 1)]).toEqual([false, true]);
  });
});
