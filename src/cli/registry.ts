import type { Command } from 'commander';
import { resourceNames } from '../model/resources/names.ts';
import type { Runner } from './session.ts';

/** The interface of a command's file. */
export interface Builder {
  /** Adds arguments, options and the action to a command, or its subcommands; only one if `word` names it. */
  build(command: Command, runner: Runner, word?: string): void;
}

/** A top-level command. Its file is loaded on first use. */
export interface CommandEntry {
  name: string;
  about: string;
  group: string;
  hidden?: boolean;
  /** The use of SQLite: a calendar file, unless a server is selected, or a server that the command starts. */
  needs?: 'file' | 'server';
  load(): Promise<Builder>;
}

/** The summary of a command, its file and more of its entry. */
type Row = [about: string, load: CommandEntry['load'], more?: Pick<CommandEntry, 'hidden' | 'needs'>];

const file = { needs: 'file' } as const;
const server = { needs: 'server' } as const;

/** Every top-level command by the heading in help. */
const groups: Record<string, Record<string, Row>> = {
  Records: Object.fromEntries(resourceNames.map((name) => [name, [`Manage ${name}`, () => import('./commands/resource.ts'), file]])),
  Views: {
    agenda: ['Show events day by day', () => import('./commands/agenda.ts'), file],
    month: ['Show a month as a grid', () => import('./commands/month.ts'), file],
    next: ['Show current and upcoming events', () => import('./commands/next.ts'), file],
    ui: ['Browse and edit the calendar in a full-screen terminal UI', () => import('./commands/ui.ts'), file],
  },
  Server: {
    serve: ['Start a server', () => import('./commands/serve.ts'), server],
    exec: ['Start a temporary server, run a command against it, then stop it', () => import('./commands/exec.ts'), server],
    wait: ['Wait until a server is ready', () => import('./commands/wait.ts')],
    request: ['Send a raw API request', () => import('./commands/request.ts'), file],
    requests: ['Inspect the requests the server received', () => import('./commands/requests.ts')],
    fault: ['Inject faults: delays, error responses, dropped connections', () => import('./commands/fault.ts')],
    world: ['Manage worlds: separate calendars on one server', () => import('./commands/world.ts')],
    clock: ["Show or set the server's clock", () => import('./commands/clock.ts')],
    check: ['Check that a server conforms to the API specification', () => import('./commands/check.ts')],
    learn: ["Write the shape of a site's responses to a file, without its data", () => import('./commands/learn.ts')],
    openapi: ['Print the OpenAPI 3.1 document', () => import('./commands/openapi.ts')],
  },
  Data: {
    fields: ['Declare fields of records that the API lacks', () => import('./commands/fields.ts')],
    seed: ['Load a seed or a fixture', () => import('./commands/seed.ts'), file],
    generate: ['Generate random but reproducible data', () => import('./commands/generate.ts'), file],
    import: ['Import JSON, NDJSON, CSV or iCalendar', () => import('./commands/import.ts'), file],
    export: ['Export the calendar as JSON, NDJSON, CSV, iCalendar or SQL', () => import('./commands/export.ts'), file],
    validate: ['Check a file without importing it', () => import('./commands/validate.ts')],
    shift: ['Move all events, or some, by a duration', () => import('./commands/shift.ts'), file],
    reset: ['Delete all records, or restore the initial state', () => import('./commands/reset.ts'), file],
    undo: ['Undo the last bulk change', () => import('./commands/undo.ts'), file],
    snapshot: ['Save and restore snapshots', () => import('./commands/snapshot.ts'), file],
    pull: ['Copy a remote calendar into the file', () => import('./commands/pull.ts'), file],
    push: ['Copy the file to a remote calendar', () => import('./commands/push.ts'), file],
    conflicts: ['List and resolve conflicts of pull and push', () => import('./commands/conflicts.ts'), file],
    diff: ['Compare the file with a remote calendar', () => import('./commands/diff.ts'), file],
  },
  Calendar: {
    status: ['Show which calendar is in use, and why', () => import('./commands/status.ts'), file],
    config: ['Show configuration from profiles and environment', () => import('./commands/config.ts')],
    settings: ['Show or change settings such as the time zone', () => import('./commands/settings.ts'), file],
    users: ['Manage users and roles', () => import('./commands/users.ts'), file],
    db: ['Check, back up and restore the database file', () => import('./commands/db.ts'), file],
  },
  Help: {
    help: ['Show help for a command or topic', () => import('./commands/help.ts')],
    completion: ['Print a shell completion script', () => import('./commands/completion.ts')],
    complete: ['List completions for a command line', () => import('./commands/complete.ts'), { hidden: true }],
  },
};

/** Every top-level command in the order of help. */
export const commands: readonly CommandEntry[] = Object.entries(groups).flatMap(([group, rows]) =>
  Object.entries(rows).map(([name, [about, load, more]]) => ({ name, about, group, load, ...more })),
);
