import { expect } from 'vitest';

/** Milliseconds of processor time that something takes, which others that run beside do not change. */
export async function processorTime(work: () => unknown): Promise<number> {
  const start = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}

/** Durations up to this many ms pass without a comparison. */
const quick = 15;

/**
 * Fails when four times as much takes far more than four times as long: eight times, where the square takes sixteen. A pause of the machine is forgiven, for the
 * best of five attempts counts; so is what is quick at its largest. A failure that the work ends with is an end like any other.
 */
export async function expectLinear(sized: (times: number) => () => unknown, times: number): Promise<void> {
  const ending = (work: () => unknown) => async () => {
    try {
      await work();
    } catch {}
  };
  const [small, large] = [ending(sized(times)), ending(sized(times * 4))];
  let ratio = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt < 5 && ratio > 8; attempt += 1) {
    const most = await processorTime(large);
    ratio = most < quick ? 0 : most / ((await processorTime(small)) + 1);
  }
  expect(ratio, 'times as long for four times as much').toBeLessThanOrEqual(8);
}
