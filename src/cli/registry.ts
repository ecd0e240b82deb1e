import type { Command } from 'commander';
import { type ResourceName, resourceNames, resources } from '../model/resources/all.ts';
import type { Runner } from './session.ts';

/** The export of a command's file: adds options and action to the command. */
export interface Builder {
  build(command: Command, runner: Runner): void;
}

/** A command of the first level as help shows it; its file is loaded when it is used. */
export interface CommandEntry {
  name: string;
  about: string;
  group: string;
  hidden?: boolean;
  load(): Promise<Builder>;
}

const resourceEntry = (name: ResourceName): CommandEntry => ({
  name,
  about: `${resources[name].about}: list, get, create, update, delete`,
  group: 'Records',
  load: () => import('./commands/resource.ts'),
});

/** Every command of the first level, the most used first. */
export const commands: readonly CommandEntry[] = [
  ...resourceNames.map(resourceEntry),
  { name: 'agenda', about: 'what is on, day by day', group: 'Looking', load: () => import('./commands/agenda.ts') },
  { name: 'month', about: 'a month as a grid', group: 'Looking', load: () => import('./commands/month.ts') },
  { name: 'next', about: 'what comes next', group: 'Looking', load: () => import('./commands/next.ts') },
  { name: 'ui', about: 'look at it and write in it, on the whole screen', group: 'Looking', load: () => import('./commands/ui.ts') },
  { name: 'serve', about: 'answer the API over HTTP', group: 'Server', load: () => import('./commands/serve.ts') },
  {
    name: 'request',
    about: 'send a request to any route, in process or remote',
    group: 'Server',
    load: () => import('./commands/request.ts'),
  },
  { name: 'check', about: 'whether a server does what the specification says', group: 'Server', load: () => import('./commands/check.ts') },
  {
    name: 'openapi',
    about: 'every route as OpenAPI 3.1, for clients, proxies and mocks',
    group: 'Server',
    load: () => import('./commands/openapi.ts'),
  },
  { name: 'exec', about: 'run a command with a server of its own', group: 'Server', load: () => import('./commands/exec.ts') },
  {
    name: 'clock',
    about: 'the server’s clock: get, set, advance, freeze, resume, reset',
    group: 'Server',
    load: () => import('./commands/clock.ts'),
  },
  {
    name: 'fault',
    about: 'have requests to the server go wrong: add, list, remove, clear',
    group: 'Server',
    load: () => import('./commands/fault.ts'),
  },
  {
    name: 'requests',
    about: 'what the server was asked: list, follow, count, verify, forget',
    group: 'Server',
    load: () => import('./commands/requests.ts'),
  },
  { name: 'wait', about: 'until a server answers', group: 'Server', load: () => import('./commands/wait.ts') },
  { name: 'seed', about: 'fill the calendar from a named seed or a fixture file', group: 'Data', load: () => import('./commands/seed.ts') },
  {
    name: 'generate',
    about: 'make records up, the same ones for the same seed',
    group: 'Data',
    load: () => import('./commands/generate.ts'),
  },
  { name: 'export', about: 'the whole calendar as json, ndjson, csv or ics', group: 'Data', load: () => import('./commands/export.ts') },
  { name: 'shift', about: 'move all events to other days', group: 'Data', load: () => import('./commands/shift.ts') },
  { name: 'reset', about: 'empty the calendar, or bring it back to a seed', group: 'Data', load: () => import('./commands/reset.ts') },
  { name: 'import', about: 'take records in from json, ndjson, csv or ics', group: 'Data', load: () => import('./commands/import.ts') },
  {
    name: 'validate',
    about: 'say what is wrong with a fixture, json, csv or ics file',
    group: 'Data',
    load: () => import('./commands/validate.ts'),
  },
  { name: 'pull', about: 'copy a calendar from a server into the file', group: 'Data', load: () => import('./commands/pull.ts') },
  { name: 'push', about: 'copy the file’s calendar to a server', group: 'Data', load: () => import('./commands/push.ts') },
  { name: 'diff', about: 'what differs between the file and a server', group: 'Data', load: () => import('./commands/diff.ts') },
  {
    name: 'snapshot',
    about: 'keep everything as it is, and bring it back: save, restore, list, delete',
    group: 'Data',
    load: () => import('./commands/snapshot.ts'),
  },
  {
    name: 'undo',
    about: 'everything as it was before the last import, reset or the like',
    group: 'Data',
    load: () => import('./commands/undo.ts'),
  },
  {
    name: 'status',
    about: 'which calendar is used here, why, who serves it, how much is in it',
    group: 'Calendar',
    load: () => import('./commands/status.ts'),
  },
  {
    name: 'config',
    about: 'what the environment and files of profiles say',
    group: 'Calendar',
    load: () => import('./commands/config.ts'),
  },
  { name: 'settings', about: 'the calendar’s zone, title and page size', group: 'Calendar', load: () => import('./commands/settings.ts') },
  { name: 'users', about: 'who may do what', group: 'Calendar', load: () => import('./commands/users.ts') },
  {
    name: 'db',
    about: 'look after the file: check, info, checkpoint, backup, restore',
    group: 'Calendar',
    load: () => import('./commands/db.ts'),
  },
  {
    name: 'help',
    about: 'help on a command, or on exit-codes, environment, formats, dates',
    group: 'Help',
    load: () => import('./commands/help.ts'),
  },
  {
    name: 'man',
    about: 'the manual page of a command, or all of them as files',
    group: 'Help',
    load: () => import('./commands/man.ts'),
  },
  {
    name: 'completion',
    about: 'a script that completes commands in your shell',
    group: 'Help',
    load: () => import('./commands/completion.ts'),
  },
  { name: 'complete', about: 'what the completion scripts ask', group: 'Help', hidden: true, load: () => import('./commands/complete.ts') },
];
