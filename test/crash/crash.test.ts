import { expect, it } from 'vitest';
import { limit } from '../support/timeouts.ts';
import { crash } from './rounds.ts';

it('a writer that is killed at any instant loses nothing that it acknowledged', { timeout: limit(120_000) }, async () => {
  const { wrong, ...counts } = await crash(Number(process.env.CRASH_ROUNDS ?? 25), Math.floor(Math.random() * 1e9));
  expect(wrong).toEqual([]);
  expect(counts.acknowledged).toBeGreaterThan(0);
});
