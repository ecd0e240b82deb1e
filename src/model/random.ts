/** A source of chance: numbers from 0 up to 1, the same ones for the same seed. */
export type Random = () => number;

/** Chance from a seed (mulberry32, after a hash of the text). */
export function randomFrom(seed: string): Random {
  let state = 2_166_136_261;
  for (const character of seed) state = Math.imul(state ^ character.codePointAt(0)!, 16_777_619);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** A whole number from `least` to `most`, both included. */
export const between = (random: Random, least: number, most: number): number => least + Math.floor(random() * (most - least + 1));

/** One of some; the list must not be empty. */
export const oneOf = <T>(random: Random, list: readonly T[]): T => list[Math.floor(random() * list.length)]!;

/** Several different ones of some, as many as there are at the most. */
export function someOf<T>(random: Random, list: readonly T[], count: number): T[] {
  const chosen = new Set<T>();
  for (let tries = 0; chosen.size < Math.min(count, list.length) && tries < 20 * count; tries++) chosen.add(oneOf(random, list));
  return [...chosen];
}

/** Whether something with this likelihood, from 0 to 1, comes to pass. */
export const happens = (random: Random, likelihood: number): boolean => random() < likelihood;
