import { expect, expectTypeOf, it } from 'vitest';
import { operationGroups } from '../../src/model/operations/all.ts';
import type { ControlledCalendar } from '../../src/testing/calendar.ts';
import { createCalendar } from '../../src/testing/create.ts';

type Groups = typeof operationGroups;
type MethodName<Group extends keyof ControlledCalendar> = keyof ControlledCalendar[Group];

it('the interface has a method for each operation, by group', () => {
  expectTypeOf<MethodName<'data'>>().toEqualTypeOf<keyof Groups['data'] | keyof Groups['sync']>();
  expectTypeOf<MethodName<'snapshots'>>().toEqualTypeOf<keyof Groups['snapshots']>();
  expectTypeOf<MethodName<'clock'>>().toEqualTypeOf<keyof Groups['clock']>();
  expectTypeOf<MethodName<'faults'>>().toEqualTypeOf<keyof Groups['faults'] | 'hold'>();
  expectTypeOf<MethodName<'requests'>>().toEqualTypeOf<keyof Groups['requests'] | 'har'>();
  expectTypeOf<MethodName<'settings'>>().toEqualTypeOf<keyof Groups['settings']>();
  expectTypeOf<MethodName<'fields'>>().toEqualTypeOf<keyof Groups['fields']>();
  expectTypeOf<MethodName<'users'>>().toEqualTypeOf<keyof Groups['users']>();
  expectTypeOf<MethodName<'file'>>().toEqualTypeOf<keyof Groups['file']>();
  expectTypeOf<MethodName<'worlds'>>().toEqualTypeOf<keyof Groups['worlds']>();
});

it('a calendar has the method of each operation', async () => {
  await using calendar = await createCalendar({ listen: false });
  const methodsOf = (group: string): object =>
    group === 'server' ? calendar : group === 'sync' ? calendar.data : (calendar as unknown as Record<string, object>)[group]!;
  // Those of tests are for hooks.
  const { tests, ...groups } = operationGroups;
  const missing = Object.entries(groups).flatMap(([group, operations]) =>
    Object.keys(operations).filter((name) => typeof Reflect.get(methodsOf(group), name) !== 'function'),
  );
  expect(missing).toEqual([]);
});
