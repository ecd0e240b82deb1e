import fc from 'fast-check';
import { afterAll, beforeAll, expect } from 'vitest';
import { fuzz } from '../support/fuzz.ts';
import {
  commandLines,
  hosts,
  SecretServers,
  schemes,
  secretKinds,
  sources,
  statuses,
  targets,
  withAnyCertificate,
} from '../support/secret-cells.ts';

let servers: SecretServers;
withAnyCertificate();
beforeAll(async () => {
  servers = await SecretServers.start();
});
afterAll(() => servers.close());

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
  expect(await servers.problems(cell)).toEqual([]);
});
