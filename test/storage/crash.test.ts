import { expect, it } from 'vitest';
import { crash } from '../crash/rounds.ts';

it('a writer that is killed at any instant loses nothing that it acknowledged', { timeout: 120_000 }, async () => {
  const { wrong, ...counts } = await crash(Number(process.env.CRASH_ROUNDS ?? 25), Math.floor(Math.random() * 1e9));
  expect(wrong).toEqual([]);
  expect(counts.acknowledged).toBeGreaterThan(0);
});
