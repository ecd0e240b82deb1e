import { it } from 'vitest';
import type { Role } from '../../../src/model/viewer.ts';
import { Model } from '../../support/site-model.ts';
import { limit } from '../../support/timeouts.ts';

const { SITE_SEED, SITE_SEEDS = 40, SITE_STEPS, SITE_ROLE } = process.env;
const roles: Role[] = SITE_ROLE ? [SITE_ROLE as Role] : ['administrator', 'editor', 'contributor'];
const seeds = SITE_SEED ? [Number(SITE_SEED)] : Array.from({ length: Number(SITE_SEEDS) }, (_, at) => at + 1);
const walks: [seed: number, role: Role, steps: number][] = [
  ...roles.flatMap((role) => seeds.map((seed): [number, Role, number] => [seed, role, Number(SITE_STEPS ?? 50)])),
  ...(SITE_SEED ? [] : [101, 102, 103].map((seed): [number, Role, number] => [seed, 'administrator', 1000])),
];

it.each(walks)(
  'random steps on two sides lose, double and publish nothing (seed %i, %s, %i steps)',
  { timeout: limit(120_000) },
  (seed, role, steps) => new Model(seed, role).run(steps),
);
