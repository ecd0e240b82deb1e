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
 * Fails when four times as much takes far longer than four times the work in turn: three times, where the square takes four. Both do the same amount of
 * work, so they are compiled and collected alike. The best of nine attempts at growing sizes counts: a pause of the machine is forgiven, and so is a step in
 * memory at one size, after which the time grows no faster. What is quick at its largest passes. A failure that the work ends with is an end like any other.
 */
export async function expectLinear(sized: (times: number) => () => unknown, times: number): Promise<void> {
  const ending = (work: () => unknown) => async () => {
    try {
      await work();
    } catch {}
  };
  let ratio = Number.POSITIVE_INFINITY;
  for (const size of [times, 2 * times, 4 * times]) {
    const [small, large] = [ending(sized(size)), ending(sized(4 * size))];
    const fourInTurn = async () => {
      for (let turn = 0; turn < 4; turn += 1) await small();
    };
    for (let attempt = 0; attempt < 3; attempt += 1) {
      const most = await processorTime(large);
      if (size === times && most < quick) return;
      ratio = Math.min(ratio, most / ((await processorTime(fourInTurn)) + 1));
      if (ratio <= 3) return;
    }
  }
  expect.fail(`four times as much takes ${ratio.toFixed(1)} times as long as the same amount in four parts`);
}
