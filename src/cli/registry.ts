import type { Command } from 'commander';
import { resourceNames } from '../model/resources/names.ts';
import type { Runner } from './session.ts';

/** The calendar that a command works on, and the global options in its help. */
interface Needs {
  takes: 'file' | 'server' | 'both' | 'nothing';
  /** Flags of global options; all by default. */
  globals?: readonly string[];
  /** True if it starts a server. */
  serves?: boolean;
  hidden?: boolean;
}

/** A top-level command. */
export interface CommandEntry extends Needs {
  name: string;
  about: string;
  group: string;
  /** Loads its file. `build` adds arguments, options and the action to a command, or its subcommands; only one if `word` names it. */
  load(): Promise<{ build(command: Command, runner: Runner, word?: string): void }>;
}

type Row = [about: string, load: CommandEntry['load'], needs: Needs];

const fileFlags = ['--db', '--profile', '--timeout', '--now'];
const userFlags = ['--namespace', '--user', '--password-stdin', '--header'];
const serverFlags = ['--url', '--timeout', ...userFlags];
const without = (flags: readonly string[], flag: string) => flags.filter((each) => each !== flag);

const nothing: Needs = { takes: 'nothing', globals: [] };
const file: Needs = { takes: 'file', globals: fileFlags };
const fileAndSite: Needs = { takes: 'file', globals: [...fileFlags, ...userFlags] };
/** Records of a file or a server. */
const records: Needs = { takes: 'both' };
/** Operations on a file or a server, which need no user. */
const controlFlags = [...fileFlags, '--url', '--header'];
const control: Needs = { takes: 'both', globals: controlFlags };
const server: Needs = { takes: 'server', globals: controlFlags };
const site: Needs = { takes: 'server', globals: [...serverFlags, '--profile', '--world'] };

/** Every top-level command by the heading in help. */
const groups: Record<string, Record<string, Row>> = {
  Records: Object.fromEntries(resourceNames.map((name) => [name, [`Manage ${name}`, () => import('./commands/resource.ts'), records]])),
  Views: {
    agenda: ['Show events day by day', () => import('./commands/agenda.ts'), records],
    month: ['Show a month as a grid', () => import('./commands/month.ts'), records],
    next: ['Show current and upcoming events', () => import('./commands/next.ts'), records],
    ui: ['Browse and edit the calendar in a full-screen terminal UI', () => import('./commands/ui.ts'), records],
  },
  Server: {
    serve: ['Start a server', () => import('./commands/serve.ts'), { takes: 'file', globals: [...fileFlags, ...userFlags], serves: true }],
    exec: [
      'Start a temporary server, run a command against it, then stop it',
      () => import('./commands/exec.ts'),
      { takes: 'file', serves: true },
    ],
    build: [
      'Write a static site with the calendar',
      () => import('./commands/build.ts'),
      { takes: 'file', globals: [...fileFlags, '--namespace'] },
    ],
    wait: ['Wait until a server is ready', () => import('./commands/wait.ts'), server],
    stop: ['Stop a server of this machine', () => import('./commands/stop.ts'), { takes: 'both', globals: [...fileFlags, '--url'] }],
    request: ['Send a raw API request', () => import('./commands/request.ts'), records],
    requests: ['Inspect the requests the server received', () => import('./commands/requests.ts'), server],
    fault: [
      'Inject faults: delays, error responses, dropped connections',
      () => import('./commands/fault.ts'),
      { takes: 'server', globals: without(controlFlags, '--header') },
    ],
    world: ['Manage worlds: separate calendars on one server', () => import('./commands/world.ts'), { takes: 'server' }],
    clock: ["Show or set the server's clock", () => import('./commands/clock.ts'), server],
    check: ['Check that a server conforms to the API specification', () => import('./commands/check.ts'), site],
    shape: ["Write the shape of a site's responses to a file, or compare it", () => import('./commands/shape.ts'), site],
    openapi: ['Print the OpenAPI 3.1 document', () => import('./commands/openapi.ts'), { takes: 'server', globals: serverFlags }],
  },
  Data: {
    fields: ['Declare fields of records that the API lacks', () => import('./commands/fields.ts'), control],
    seed: ['Load a seed or a file', () => import('./commands/seed.ts'), control],
    generate: ['Generate random but reproducible data', () => import('./commands/generate.ts'), control],
    import: ['Import JSON, NDJSON, CSV or iCalendar', () => import('./commands/import.ts'), control],
    export: ['Export the calendar as JSON, NDJSON, CSV, iCalendar or SQL', () => import('./commands/export.ts'), control],
    validate: [
      'Check files with data or responses',
      () => import('./commands/validate.ts'),
      { takes: 'nothing', globals: ['--timeout', '--now'] },
    ],
    shift: ['Move all events, or some, by a duration', () => import('./commands/shift.ts'), records],
    reset: ['Delete all records, or restore the initial state', () => import('./commands/reset.ts'), control],
    undo: ['Undo the last bulk change', () => import('./commands/undo.ts'), control],
    snapshot: ['Save and restore snapshots', () => import('./commands/snapshot.ts'), control],
    pull: ['Copy a remote calendar into the file', () => import('./commands/pull.ts'), fileAndSite],
    push: ['Copy the file to a remote calendar', () => import('./commands/push.ts'), fileAndSite],
    sync: ['Pull from a remote calendar and push to it', () => import('./commands/sync.ts'), fileAndSite],
    conflicts: ['List and resolve conflicts of pull and push', () => import('./commands/conflicts.ts'), file],
    diff: ['Compare the file with a remote calendar', () => import('./commands/diff.ts'), fileAndSite],
  },
  Calendar: {
    status: ['Show which calendar is in use, and why', () => import('./commands/status.ts'), records],
    config: [
      'Show configuration, and take over the shape of a site',
      () => import('./commands/config.ts'),
      { takes: 'nothing', globals: ['--timeout', ...userFlags] },
    ],
    settings: ['Show or change settings such as the time zone', () => import('./commands/settings.ts'), control],
    users: ['Manage users and roles', () => import('./commands/users.ts'), file],
    db: ['Check, back up and restore the database file', () => import('./commands/db.ts'), file],
  },
  Help: {
    help: ['Show help for a command or topic', () => import('./commands/help.ts'), nothing],
    completion: ['Print a shell completion script', () => import('./commands/completion.ts'), nothing],
    complete: ['List completions for a command line', () => import('./commands/complete.ts'), { ...nothing, hidden: true }],
  },
};

/** Every top-level command in the order of help. */
export const commands: readonly CommandEntry[] = Object.entries(groups).flatMap(([group, rows]) =>
  Object.entries(rows).map(([name, [about, load, needs]]) => ({ name, about, group, load, ...needs })),
);

const byName = new Map(commands.map((entry) => [entry.name, entry]));
export const commandNamed = (name: string): CommandEntry | undefined => byName.get(name);
