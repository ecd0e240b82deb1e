import { expect, it } from 'vitest';
import { Words } from '../../src/store/ready/words.ts';

it('finds each text that holds a word, however far apart they are', () => {
  const words = new Words();
  const rare = new Set([0, 1, 2, 127, 128, 255, 256, 300, 16_000, 16_383, 16_384, 33_000, 39_999]);
  for (let event = 0; event < 40_000; event += 1) words.put(event, rare.has(event) ? 'a rare one, a rare thing' : 'common');
  const found = (needle: string): number[] => {
    const places: number[] = [];
    for (const each of words.places(needle, (event) => event).each) each((place) => places.push(place));
    return places;
  };
  expect(found('rar')).toEqual([...rare]);
  expect(found('common')).toHaveLength(40_000 - rare.size);
  words.put(16_384, 'common');
  words.put(5, 'rarely');
  expect(found('rar')).toEqual([...[...rare].filter((event) => event !== 16_384), 5]);
});
