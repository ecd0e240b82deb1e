import { uniformFloat64 } from 'pure-rand/distribution/uniformFloat64';
import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import type { RandomGenerator } from 'pure-rand/types/RandomGenerator';

/** A seeded random number generator. */
export type Random = RandomGenerator;

/** Creates a random number generator from a seed, which can be any text. */
export function createRandom(seed: string): Random {
  let hash = 2_166_136_261;
  for (const character of seed) hash = Math.imul(hash ^ character.codePointAt(0)!, 16_777_619);
  return xoroshiro128plus(hash);
}

/** A number from 0 (inclusive) to 1 (exclusive). */
export const fraction = (random: Random): number => uniformFloat64(random);

/** An integer from `min` to `max`, inclusive. */
export const between = (random: Random, min: number, max: number): number => uniformInt(random, min, max);

/** Picks an item of a list that is not empty. */
export const oneOf = <T>(random: Random, list: readonly T[]): T => list[between(random, 0, list.length - 1)]!;

/** Picks up to `count` different items of a list. */
export function someOf<T>(random: Random, list: readonly T[], count: number): T[] {
  const choices: T[] = [];
  for (let tries = 0; choices.length < Math.min(count, list.length) && tries < 20 * count; tries++) {
    const choice = oneOf(random, list);
    if (!choices.includes(choice)) choices.push(choice);
  }
  return choices;
}

/** Returns true with a probability from 0 to 1. */
export const happens = (random: Random, probability: number): boolean => fraction(random) < probability;
