import { expect, it } from 'vitest';
import { cases } from '../support/cases.ts';
import { seed } from '../support/seed.ts';
import { limit } from '../support/timeouts.ts';
import { crash } from './rounds.ts';

it('a writer that is killed at any instant loses nothing that it acknowledged', { timeout: limit(120_000) }, async () => {
  const { wrong, ...counts } = await crash(cases(6), seed);
  expect(wrong).toEqual([]);
  expect(counts.acknowledged).toBeGreaterThan(0);
});
