import { expect, it } from 'vitest';
import { limit } from '../support/timeouts.ts';
import { crash } from './rounds.ts';

it('a writer that is killed loses nothing that it acknowledged', { timeout: limit(60_000) }, async () => {
  // Killed 0.2 s after it began to write.
  const { wrong, ...counts } = await crash(1, 42, 'store');
  expect(wrong).toEqual([]);
  expect(counts.acknowledged).toBeGreaterThan(0);
});
