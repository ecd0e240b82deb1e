import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { operationGroups } from '../../../src/model/operations/all.ts';
import type { Operation } from '../../../src/model/operations/operation.ts';

const adapters = readFileSync('src/testing/adapters.ts', 'utf8');
const adapted = adapters.slice(adapters.indexOf('export interface AdaptedMethods'), adapters.indexOf('export const adaptersOf'));

it('every method with an adapter has an example', () => {
  const methods = [...adapted.matchAll(/(?:\* (@example)[^\n]*\n {5}\*\/\n)?(?:[^\n]*\*\/\n)? {4}(\w+)\(/g)];
  expect(methods.length).toBeGreaterThan(8);
  expect(methods.filter(([, example]) => example === undefined).map(([, , name]) => name)).toEqual([]);
});

it('every other operation with an input has an example', () => {
  const missing = Object.entries(operationGroups).flatMap(([group, operations]) =>
    Object.entries(operations as Record<string, Operation>)
      .filter(([, { input, example }]) => input && example === undefined)
      .map(([name]) => name)
      // Those have an adapter.
      .filter(
        (name) => !new RegExp(`\\n {2}${group}: \\{[^}]*?\\n {4}${name}\\(`, 's').test(adapted.replaceAll(/[{}](?=[^\n]*\S\n)/g, '')),
      ),
  );
  expect(missing).toEqual([]);
});
