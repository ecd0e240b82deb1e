import { expect, it } from 'vitest';
import { TextIndex } from '../../../src/store/cache/text-index.ts';

it('finds each text that holds a word, however far apart they are', () => {
  const words = new TextIndex();
  const rare = new Set([0, 1, 2, 127, 128, 255, 256, 300, 16_000, 16_383, 16_384, 33_000, 39_999]);
  for (let event = 0; event < 40_000; event += 1) words.put(event, rare.has(event) ? 'a rare one, a rare thing' : 'common');
  const found = (needle: string): number[] => {
    const places: number[] = [];
    for (const each of words.matches(needle, (event) => event).each) each((place) => places.push(place));
    return places;
  };
  expect(found('rar')).toEqual([...rare]);
  expect(found('common')).toHaveLength(40_000 - rare.size);
  words.put(16_384, 'common');
  words.put(5, 'rarely');
  expect(found('rar')).toEqual([...[...rare].filter((event) => event !== 16_384), 5]);
});

it('stays small however often texts are written', () => {
  const words = new TextIndex();
  for (let round = 0; round < 200; round += 1)
    for (let event = 1; event <= 1000; event += 1) words.put(event, `about ${event % 7} in round${round}`);
  expect(words.size).toBeLessThanOrEqual(2001);
  const found = (term: string): number[] => {
    const places: number[] = [];
    for (const each of words.matches(term, (event) => event).each) each((place) => places.push(place));
    return places;
  };
  expect(found('round198')).toEqual([]);
  expect(found('round199')).toEqual(Array.from({ length: 1000 }, (_, i) => i + 1));
  for (let event = 1; event <= 1000; event += 1) words.put(event, undefined);
  expect(found('round199')).toEqual([]);
});
