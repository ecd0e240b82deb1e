import type { Command } from 'commander';
import type { Shell } from './shell.ts';

/** What the file of a command exports: it gives the command its options and its action. */
export interface Builder {
  build(command: Command, shell: Shell): void;
}

/** One command of the first level, as the help shows it; the rest is loaded when it is used. */
export interface Line {
  name: string;
  about: string;
  group: string;
  hidden?: boolean;
  load(): Promise<Builder>;
}

const resource = (name: string, about: string): Line => ({
  name,
  about: `${about}: list, get, create, update, delete`,
  group: 'Records',
  load: () => import('./resource.ts'),
});

/** Every command of the first level, the most used first. */
export const commands: readonly Line[] = [
  resource('events', 'what happens, when, where and by whom'),
  resource('venues', 'where events take place'),
  resource('organizers', 'who holds events'),
  resource('categories', 'a tree that events are filed in'),
  resource('tags', 'words that events are marked with'),
  { name: 'agenda', about: 'what is on, day by day', group: 'Looking', load: () => import('./agenda.ts') },
  { name: 'month', about: 'a month as a grid', group: 'Looking', load: () => import('./month.ts') },
  { name: 'next', about: 'what comes next', group: 'Looking', load: () => import('./next.ts') },
  { name: 'ui', about: 'look at it and write in it, on the whole screen', group: 'Looking', load: () => import('./ui/ui.ts') },
  { name: 'serve', about: 'answer the API over HTTP', group: 'Server', load: () => import('./serve.ts') },
  { name: 'request', about: 'send a request to any route, in process or remote', group: 'Server', load: () => import('./request.ts') },
  { name: 'seed', about: 'fill the calendar from a named seed or a fixture file', group: 'Data', load: () => import('./seed.ts') },
  { name: 'generate', about: 'make records up, the same ones for the same seed', group: 'Data', load: () => import('./generate.ts') },
  { name: 'export', about: 'the whole calendar as json, ndjson, csv or ics', group: 'Data', load: () => import('./export.ts') },
  { name: 'shift', about: 'move all events to other days', group: 'Data', load: () => import('./shift.ts') },
  { name: 'reset', about: 'empty the calendar, or bring it back to a seed', group: 'Data', load: () => import('./reset.ts') },
  { name: 'import', about: 'take records in from json, ndjson, csv or ics', group: 'Data', load: () => import('./import.ts') },
  {
    name: 'validate',
    about: 'say what is wrong with a fixture, json, csv or ics file',
    group: 'Data',
    load: () => import('./validate.ts'),
  },
  { name: 'pull', about: 'copy a calendar from a server into the file', group: 'Data', load: () => import('./pull.ts') },
  { name: 'push', about: 'copy the file’s calendar to a server', group: 'Data', load: () => import('./push.ts') },
  { name: 'diff', about: 'what differs between the file and a server', group: 'Data', load: () => import('./diff.ts') },
  { name: 'settings', about: 'the calendar’s zone, title and page size', group: 'Calendar', load: () => import('./settings.ts') },
  { name: 'users', about: 'who may do what', group: 'Calendar', load: () => import('./users.ts') },
  { name: 'db', about: 'look after the file: check, info, checkpoint, backup, restore', group: 'Calendar', load: () => import('./db.ts') },
  {
    name: 'help',
    about: 'help on a command, or on exit-codes, environment, formats, dates',
    group: 'Help',
    load: () => import('./help.ts'),
  },
  { name: 'completion', about: 'a script that completes commands in your shell', group: 'Help', load: () => import('./completion.ts') },
  { name: 'complete', about: 'what the completion scripts ask', group: 'Help', hidden: true, load: () => import('./complete.ts') },
];
