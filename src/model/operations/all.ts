import { clock } from './clock.ts';
import { data } from './data.ts';
import { faults } from './faults.ts';
import type { Operation, OperationCaller } from './operation.ts';
import { requests } from './requests.ts';
import { file, server, tests } from './server.ts';
import { fields, settings } from './settings.ts';
import { snapshots } from './snapshots.ts';
import { sync } from './sync.ts';
import { users } from './users.ts';
import { worlds } from './worlds.ts';

/** Every operation, by group. */
export const operationGroups = { server, data, snapshots, sync, clock, faults, settings, fields, requests, file, users, worlds, tests };

type Groups = typeof operationGroups;
type AnyOperation = { [Name in keyof Groups]: Groups[Name][keyof Groups[Name]] }[keyof Groups];

/** All operations on one calendar, by ID. Each fails with a Failure. */
export type CalendarControl = { [Each in AnyOperation as Each['id']]: OperationCaller<Each> };

export type OperationName = keyof CalendarControl;
/** The input of an operation; an empty object for one without input. */
export type OperationInput<Name extends OperationName> = NonNullable<Parameters<CalendarControl[Name]>[0]>;
export type OperationOutput<Name extends OperationName> = Awaited<ReturnType<CalendarControl[Name]>>;

/** Every operation, by ID. */
export const operations = Object.fromEntries(
  Object.values(operationGroups)
    .flatMap<Operation>(Object.values)
    .map((each) => [each.id, each]),
) as Record<OperationName, Operation>;
