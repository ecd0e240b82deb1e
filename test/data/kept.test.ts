import { expect, it } from 'vitest';
import { compareKept } from '../support/kept.ts';
import { seed } from '../support/seed.ts';

it.each(['json', 'ndjson', 'csv', 'ics'] as const)(
  `odd records come back from %s, as far as the table says (FUZZ_SEED=${seed})`,
  async (format) => {
    const { count } = await compareKept(format, Math.abs(seed));
    expect(count).toBeGreaterThan(10);
  },
);
