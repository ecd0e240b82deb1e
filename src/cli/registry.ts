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
  load(): Promise<Builder>;
}

/** The summary of a command and its file. */
type Row = [about: string, load: CommandEntry['load'], hidden?: 'hidden'];

/** Every top-level command by the heading in help. */
const groups: Record<string, Record<string, Row>> = {
  Records: Object.fromEntries(resourceNames.map((name) => [name, [`Manage ${name}`, () => import('./commands/resource.ts')]])),
  Views: {
    agenda: ['Show events day by day', () => import('./commands/agenda.ts')],
    month: ['Show a month as a grid', () => import('./commands/month.ts')],
    next: ['Show current and upcoming events', () => import('./commands/next.ts')],
    ui: ['Browse and edit the calendar in a full-screen terminal UI', () => import('./commands/ui.ts')],
  },
  Server: {
    serve: ['Start a server', () => import('./commands/serve.ts')],
    exec: ['Start a temporary server, run a command against it, then stop it', () => import('./commands/exec.ts')],
    wait: ['Wait until a server is ready', () => import('./commands/wait.ts')],
    request: ['Send a raw API request', () => import('./commands/request.ts')],
    requests: ['Inspect the requests the server received', () => import('./commands/requests.ts')],
    fault: ['Inject faults: delays, error responses, dropped connections', () => import('./commands/fault.ts')],
    world: ['Manage worlds: separate calendars on one server', () => import('./commands/world.ts')],
    webhooks: ['List webhooks and send them again', () => import('./commands/webhooks.ts')],
    clock: ["Show or set the server's clock", () => import('./commands/clock.ts')],
    check: ['Check that a server conforms to the API specification', () => import('./commands/check.ts')],
    learn: ["Write the shape of a site's responses to a file, without its data", () => import('./commands/learn.ts')],
    openapi: ['Print the OpenAPI 3.1 document', () => import('./commands/openapi.ts')],
  },
  Data: {
    fields: ['Declare fields of records that the API lacks', () => import('./commands/fields.ts')],
    seed: ['Load a seed or a fixture', () => import('./commands/seed.ts')],
    generate: ['Generate random but reproducible data', () => import('./commands/generate.ts')],
    import: ['Import JSON, NDJSON, CSV or iCalendar', () => import('./commands/import.ts')],
    export: ['Export the calendar as JSON, NDJSON, CSV, iCalendar or SQL', () => import('./commands/export.ts')],
    validate: ['Check a file without importing it', () => import('./commands/validate.ts')],
    shift: ['Move all events, or some, by a duration', () => import('./commands/shift.ts')],
    reset: ['Delete all records, or restore the initial state', () => import('./commands/reset.ts')],
    undo: ['Undo the last bulk change', () => import('./commands/undo.ts')],
    snapshot: ['Save and restore snapshots', () => import('./commands/snapshot.ts')],
    pull: ['Copy a remote calendar into the file', () => import('./commands/pull.ts')],
    push: ['Copy the file to a remote calendar', () => import('./commands/push.ts')],
    conflicts: ['List and resolve conflicts of pull and push', () => import('./commands/conflicts.ts')],
    diff: ['Compare the file with a remote calendar', () => import('./commands/diff.ts')],
  },
  Calendar: {
    status: ['Show which calendar is in use, and why', () => import('./commands/status.ts')],
    config: ['Show configuration from profiles and environment', () => import('./commands/config.ts')],
    settings: ['Show or change settings such as the time zone', () => import('./commands/settings.ts')],
    users: ['Manage users and roles', () => import('./commands/users.ts')],
    db: ['Check, back up and restore the database file', () => import('./commands/db.ts')],
  },
  Help: {
    help: ['Show help for a command or topic', () => import('./commands/help.ts')],
    man: ['Show the man page of a command', () => import('./commands/man.ts')],
    completion: ['Print a shell completion script', () => import('./commands/completion.ts')],
    complete: ['List completions for a command line', () => import('./commands/complete.ts'), 'hidden'],
  },
};

/** Every top-level command in the order of help. */
export const commands: readonly CommandEntry[] = Object.entries(groups).flatMap(([group, rows]) =>
  Object.entries(rows).map(([name, [about, load, hidden]]) => ({ name, about, group, load, ...(hidden && { hidden: true }) })),
);
