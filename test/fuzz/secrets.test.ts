import fc from 'fast-check';
import { expect } from 'vitest';
import { fuzz } from '../support/fuzz.ts';
import { commandLines, hosts, schemes, secretKinds, secretServers, sources, statuses, targets } from '../support/secret-cells.ts';

const servers = secretServers();

const cells = fc.record({
  line: fc.constantFrom(...(await commandLines())),
  source: fc.constantFrom(...sources),
  secret: fc.constantFrom(...secretKinds),
  host: fc.constantFrom(...hosts),
  scheme: fc.constantFrom(...schemes),
  status: fc.constantFrom(...statuses),
  target: fc.constantFrom(...targets),
});

fuzz('no secret leaves where it must not', cells, async (cell) => {
  expect(await servers().problems(cell)).toEqual([]);
});
