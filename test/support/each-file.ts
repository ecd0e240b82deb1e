import { afterAll } from 'vitest';
import '../../bin/machine/here.ts';
import { separateTemp } from './temp.ts';

/* Each file of tests has a temp folder that no other uses. */
afterAll(separateTemp());

/* Properties of fast-check draw the cases of FUZZ_SEED where one is set, so that a change is refused for what it does, not by chance. */
if (process.env.FUZZ_SEED) {
  const { default: fc } = await import('fast-check');
  const { seed } = await import('./seed.ts');
  fc.configureGlobal({ seed });
}
