/** Sets of small numbers, as bits in 32-bit words. */
export type Bits = Uint32Array;

/** How many words hold so many bits. */
export const wordsFor = (bits: number): number => (bits + 31) >>> 5;

/** How many bits of a word are set. */
export function countOf(word: number): number {
  let n = word - ((word >>> 1) & 0x55555555);
  n = (n & 0x33333333) + ((n >>> 2) & 0x33333333);
  return Math.imul((n + (n >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

/** How many bits are set in some words. */
export function countIn(bits: Bits, from: number, until: number): number {
  let count = 0;
  for (let i = from; i < until; i += 1) count += countOf(bits[i]!);
  return count;
}

/** The number of the lowest bit of a word that is not 0. */
export const lowest = (word: number): number => 31 - Math.clz32(word & -word);

/** Calls for every number of a set, ascending. */
export function each(bits: Bits, from: number, until: number, call: (number: number) => void): void {
  for (let i = from; i < until; i += 1) for (let word = bits[i]!; word !== 0; word &= word - 1) call((i << 5) + lowest(word));
}

export const add = (bits: Bits, number: number): void => {
  bits[number >>> 5]! |= 1 << (number & 31);
};
export const remove = (bits: Bits, number: number): void => {
  bits[number >>> 5]! &= ~(1 << (number & 31));
};
