import { it } from 'vitest';
import { Model } from '../../support/site-model.ts';

const seeds = process.env.SITE_SEED
  ? [Number(process.env.SITE_SEED)]
  : Array.from({ length: Number(process.env.SITE_SEEDS ?? 40) }, (_, at) => at + 1);

it.each(seeds)('50 random steps on two sides lose, double and publish nothing (seed %i)', (seed) =>
  new Model(seed).run(Number(process.env.SITE_STEPS ?? 50)),
);
