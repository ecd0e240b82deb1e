import type { Command } from 'commander';
import { resourceNames } from '../model/resources/names.ts';
import type { Runner } from './session.ts';

/** The interface of a command's file. */
export interface Builder {
  /** Adds arguments, options and the action to a command. */
  build(command: Command, runner: Runner): void;
}

/** A top-level command. Its file is loaded on first use. */
export interface CommandEntry {
  name: string;
  about: string;
  group: string;
  hidden?: boolean;
  load(): Promise<Builder>;
}

const resourceEntry = (name: string): CommandEntry => ({
  name,
  about: `Manage ${name}`,
  group: 'Records',
  load: () => import('./commands/resource.ts'),
});

/** Every top-level command in the order of help. */
export const commands: readonly CommandEntry[] = [
  ...resourceNames.map(resourceEntry),
  { name: 'agenda', about: 'Show events day by day', group: 'Views', load: () => import('./commands/agenda.ts') },
  { name: 'month', about: 'Show a month as a grid', group: 'Views', load: () => import('./commands/month.ts') },
  { name: 'next', about: 'Show current and upcoming events', group: 'Views', load: () => import('./commands/next.ts') },
  {
    name: 'ui',
    about: 'Browse and edit the calendar in a full-screen terminal UI',
    group: 'Views',
    load: () => import('./commands/ui.ts'),
  },
  { name: 'serve', about: 'Start a server', group: 'Server', load: () => import('./commands/serve.ts') },
  {
    name: 'exec',
    about: 'Start a temporary server, run a command against it, then stop it',
    group: 'Server',
    load: () => import('./commands/exec.ts'),
  },
  { name: 'wait', about: 'Wait until a server is ready', group: 'Server', load: () => import('./commands/wait.ts') },
  { name: 'request', about: 'Send a raw API request', group: 'Server', load: () => import('./commands/request.ts') },
  { name: 'requests', about: 'Inspect the requests the server received', group: 'Server', load: () => import('./commands/requests.ts') },
  {
    name: 'fault',
    about: 'Inject faults: delays, error responses, dropped connections',
    group: 'Server',
    load: () => import('./commands/fault.ts'),
  },
  { name: 'world', about: 'Manage worlds: separate calendars on one server', group: 'Server', load: () => import('./commands/world.ts') },
  { name: 'webhooks', about: 'List webhooks and send them again', group: 'Server', load: () => import('./commands/webhooks.ts') },
  { name: 'clock', about: "Show or set the server's clock", group: 'Server', load: () => import('./commands/clock.ts') },
  {
    name: 'check',
    about: 'Check that a server conforms to the API specification',
    group: 'Server',
    load: () => import('./commands/check.ts'),
  },
  {
    name: 'learn',
    about: "Write the shape of a site's responses to a file, without its data",
    group: 'Server',
    load: () => import('./commands/learn.ts'),
  },
  { name: 'openapi', about: 'Print the OpenAPI 3.1 document', group: 'Server', load: () => import('./commands/openapi.ts') },
  { name: 'fields', about: 'Declare fields of records that the API lacks', group: 'Data', load: () => import('./commands/fields.ts') },
  { name: 'seed', about: 'Load a seed or a fixture', group: 'Data', load: () => import('./commands/seed.ts') },
  { name: 'generate', about: 'Generate random but reproducible data', group: 'Data', load: () => import('./commands/generate.ts') },
  { name: 'import', about: 'Import JSON, NDJSON, CSV or iCalendar', group: 'Data', load: () => import('./commands/import.ts') },
  {
    name: 'export',
    about: 'Export the calendar as JSON, NDJSON, CSV, iCalendar or SQL',
    group: 'Data',
    load: () => import('./commands/export.ts'),
  },
  { name: 'validate', about: 'Check a file without importing it', group: 'Data', load: () => import('./commands/validate.ts') },
  { name: 'shift', about: 'Move all events, or some, by a duration', group: 'Data', load: () => import('./commands/shift.ts') },
  { name: 'reset', about: 'Delete all records, or restore the initial state', group: 'Data', load: () => import('./commands/reset.ts') },
  { name: 'undo', about: 'Undo the last bulk change', group: 'Data', load: () => import('./commands/undo.ts') },
  { name: 'snapshot', about: 'Save and restore snapshots', group: 'Data', load: () => import('./commands/snapshot.ts') },
  { name: 'pull', about: 'Copy a remote calendar into the file', group: 'Data', load: () => import('./commands/pull.ts') },
  { name: 'push', about: 'Copy the file to a remote calendar', group: 'Data', load: () => import('./commands/push.ts') },
  {
    name: 'conflicts',
    about: 'List and resolve conflicts of pull and push',
    group: 'Data',
    load: () => import('./commands/conflicts.ts'),
  },
  { name: 'diff', about: 'Compare the file with a remote calendar', group: 'Data', load: () => import('./commands/diff.ts') },
  { name: 'status', about: 'Show which calendar is in use, and why', group: 'Calendar', load: () => import('./commands/status.ts') },
  {
    name: 'config',
    about: 'Show configuration from profiles and environment',
    group: 'Calendar',
    load: () => import('./commands/config.ts'),
  },
  {
    name: 'settings',
    about: 'Show or change settings such as the time zone',
    group: 'Calendar',
    load: () => import('./commands/settings.ts'),
  },
  { name: 'users', about: 'Manage users and roles', group: 'Calendar', load: () => import('./commands/users.ts') },
  { name: 'db', about: 'Check, back up and restore the database file', group: 'Calendar', load: () => import('./commands/db.ts') },
  { name: 'help', about: 'Show help for a command or topic', group: 'Help', load: () => import('./commands/help.ts') },
  { name: 'man', about: 'Show the man page of a command', group: 'Help', load: () => import('./commands/man.ts') },
  { name: 'completion', about: 'Print a shell completion script', group: 'Help', load: () => import('./commands/completion.ts') },
  {
    name: 'complete',
    about: 'List completions for a command line',
    group: 'Help',
    hidden: true,
    load: () => import('./commands/complete.ts'),
  },
];
