import fc, { type Arbitrary } from 'fast-check';
import { expect, it } from 'vitest';
import { seed } from './seed.ts';
import { limit } from './timeouts.ts';

/** Seconds that each fuzzer runs: FUZZ_SECONDS. */
const seconds = Number(process.env.FUZZ_SECONDS ?? 2);

/**
 * A test of random cases until the time is over, at least one. Its name contains the seed. `inOrder` where a case builds on those before it: then
 * a failure is shown as it came, for fewer or smaller cases would be other ones.
 */
export function fuzz<T>(title: string, cases: Arbitrary<T>, check: (value: T) => Promise<void> | void, { inOrder = false } = {}): void {
  it(`${title} (FUZZ_SEED=${seed})`, { timeout: limit((seconds + 60) * 1000) }, async () => {
    let count = 0;
    const until = Date.now() + seconds * 1000;
    const property = fc.asyncProperty(cases, async (value) => {
      count += 1;
      await check(value);
    });
    const run = (limits: object) => fc.assert(property, { seed, endOnFailure: inOrder, ...limits });
    await run({ numRuns: Number.MAX_SAFE_INTEGER, interruptAfterTimeLimit: Math.max(1, until - Date.now()) }).catch((error) => {
      // A busy machine may not end a single case in time.
      if (!String(error).includes('interrupted after 0 tests')) throw error;
      return run({ numRuns: 1 });
    });
    expect(count).toBeGreaterThan(0);
    console.log(`${count} cases in ${seconds} s, FUZZ_SEED=${seed}: ${title}`);
  });
}
