import { uniformFloat64 } from 'pure-rand/distribution/uniformFloat64';
import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import type { RandomGenerator } from 'pure-rand/types/RandomGenerator';

/** A source of chance, the same for the same seed. */
export type Random = RandomGenerator;

/** The source of chance for a seed, which may be any text. */
export function randomFrom(seed: string): Random {
  let hash = 2_166_136_261;
  for (const character of seed) hash = Math.imul(hash ^ character.codePointAt(0)!, 16_777_619);
  return xoroshiro128plus(hash);
}

/** A number from 0 up to 1, which is never reached. */
export const fraction = (random: Random): number => uniformFloat64(random);

/** A whole number from `least` to `most`, both included. */
export const between = (random: Random, least: number, most: number): number => uniformInt(random, least, most);

/** One of some; the list must not be empty. */
export const oneOf = <T>(random: Random, list: readonly T[]): T => list[between(random, 0, list.length - 1)]!;

/** Several different ones of some, as many as there are at the most. */
export function someOf<T>(random: Random, list: readonly T[], count: number): T[] {
  const chosen = new Set<T>();
  for (let tries = 0; chosen.size < Math.min(count, list.length) && tries < 20 * count; tries++) chosen.add(oneOf(random, list));
  return [...chosen];
}

/** True with a likelihood from 0 to 1. */
export const happens = (random: Random, likelihood: number): boolean => fraction(random) < likelihood;
