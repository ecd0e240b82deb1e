import { it } from 'vitest';
import { Model } from '../../support/site-model.ts';

it.each(Array.from({ length: 2 }, (_, at) => at + 1))('25 random steps on two sides lose, double and publish nothing (seed %i)', (seed) =>
  new Model(seed).run(25),
);
