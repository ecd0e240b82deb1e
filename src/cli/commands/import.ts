import { type Command, Option } from 'commander';
import type { ImportOptions } from '../../data/ingest/options.ts';
import type { Source } from '../../data/ingest/source.ts';
import { type ExitCode, exitCodes } from '../../model/error.ts';
import type { ImportInput } from '../../model/operation-types.ts';
import { tableOptions } from '../../model/operations/table-options.ts';
import { opensFor, operate } from '../connect/operate.ts';
import { credentialsOf, headersFor, readHeaders, targetOf } from '../connect/target.ts';
import { timezoneOption } from '../global-options.ts';
import { addReading, type ReadingOptions, readingOf, tableHeading, tableOption } from '../import-options.ts';
import { dryOf, printDone, printNotes, withProgress } from '../print/summary.ts';
import { printChanges } from '../print/table.ts';
import { parseNames } from '../records/output.ts';
import type { Runner, Session } from '../session.ts';
import { agreed } from '../terminal/prompt.ts';

interface ImportCommandOptions extends ReadingOptions {
  mapTemplate?: boolean;
  key?: string[];
  source?: string;
  deleteMissing?: boolean;
  yes?: boolean;
}

/** `calendar import`: imports records from a file, stdin or a URL. */
export function build(command: Command, runner: Runner): void {
  addReading(command)
    .addOption(
      new Option('--key <fields>', 'Match rows with the records of earlier tables by these fields, e.g. title,start_date')
        .argParser(parseNames)
        .helpGroup(tableHeading),
    )
    .addOption(tableOption(tableOptions.find(({ name }) => name === 'source')!))
    .addOption(
      new Option('--delete-missing', 'With --key, move the events of earlier tables that are not in this one to the trash').helpGroup(
        tableHeading,
      ),
    )
    .addOption(timezoneOption())
    .option('--dry-run', 'Show what would be imported')
    .option('--lenient', 'Skip invalid records and unknown headings, and import the rest')
    .addOption(
      new Option('--map-template', 'Print the headings of a table as a map, to edit and pass with --map @FILE').helpGroup(tableHeading),
    )
    .option('-y, --yes', 'Skip the confirmation prompt of --delete-missing')
    .option('--json', 'Output JSON with every record')
    .action(runner.action((session, [name], options) => importCommand(session, String(name), options as ImportCommandOptions)));
}

/** Exits with `partial` if invalid records were skipped. */
async function importCommand(session: Session, name: string, options: ImportCommandOptions): Promise<ExitCode> {
  const headers = await headersTo(name, session);
  if (!headers) return importWith(session, name, options);
  // The data may repeat what was sent for it.
  const { redactedError, redactorOf } = await import('../../client/redact.ts');
  const redact = redactorOf(headers);
  return importWith({ ...session, tell: (text) => session.tell(redact(text)) }, name, options, headers).catch((error) => {
    throw redactedError(error, redact);
  });
}

async function importWith(
  session: Session,
  name: string,
  options: ImportCommandOptions,
  headers?: Record<string, string>,
): Promise<ExitCode> {
  const { map, ...reading } = await readingOf(session, options);
  const source = await opensFor(session, headers)(name);
  try {
    if (options.mapTemplate) return await printMapTemplate(session, source, reading);
    const input = {
      ...dryOf(options),
      list: Boolean(options.json || options.dryRun),
      ...reading,
      ...(options.key ? { key: options.key } : {}),
      ...(options.source === undefined ? {} : { source: options.source }),
      ...(options.deleteMissing ? { delete_missing: true } : {}),
      ...(map ? { map: Object.fromEntries(map) } : {}),
      name: source.name,
      ...(await contentIn(source, session)),
    };
    if (options.deleteMissing && !options.yes && !options.dryRun && !(await mayDelete(session, input))) return exitCodes.ok;
    const done = await withProgress(session, 'importing', options, (onProgress) => operate(session, 'write', 'import', input, onProgress));
    if (!options.json) for (const { at, reason } of done.problems) await session.tell(`${at}: ${reason}`);
    if (!options.json) await printNotes(session, done.notes);
    if (options.dryRun && !options.json) await printChanges(session, done);
    await printDone(session, source.name, done, options);
    return done.problems.length ? exitCodes.partial : exitCodes.ok;
  } finally {
    await source.end();
  }
}

/** Prompts before events are moved to the trash, with their number. */
async function mayDelete(session: Session, input: ImportInput): Promise<boolean> {
  const { deleted, notes } = await operate(session, 'write', 'import', { ...input, dry_run: true, list: false });
  if (deleted === 0) return true;
  const count = notes.find(({ at }) => at === '--delete-missing')!.reason;
  return agreed(session.terminal, `${count}. Move ${deleted === 1 ? 'it' : 'them'} to the trash?`);
}

/**
 * The headers for a download. From the server that is selected, or that of `--profile`, these are the same as for its API, with the user. Headers of the
 * options are sent to other addresses too, unless they are for the server to import into.
 */
async function headersTo(name: string, { globals, terminal }: Session): Promise<Record<string, string> | undefined> {
  if (!/^(https?|webcal):/i.test(name) || !URL.canParse(name)) return undefined;
  const target = await targetOf(globals, terminal);
  const profile = globals.profile === undefined ? target : await targetOf({ ...globals, url: undefined, db: undefined }, terminal);
  const { host } = new URL(name);
  const from = [target, profile].find((each) => each.kind === 'remote' && new URL(each.url).host === host);
  if (from) {
    const { basic } = await import('../../client/remote.ts');
    const credentials = globals.passwordStdin ? undefined : await credentialsOf(from, globals, terminal);
    return { ...headersFor(from, globals, terminal), ...(credentials ? { authorization: basic(credentials) } : {}) };
  }
  return target.kind === 'remote' ? undefined : readHeaders(globals.header ?? [], terminal);
}

/** Prints the map of a table's headings as JSON. */
async function printMapTemplate(session: Session, source: Source, options: ImportOptions): Promise<ExitCode> {
  const [{ mapTemplate }, { readHeadings }, { resources }] = await Promise.all([
    import('../../model/formats/columns.ts'),
    import('../../data/ingest/table.ts'),
    import('../../model/resources/all.ts'),
  ]);
  const resource = resources[options.only?.[0] ?? 'events'];
  const template = mapTemplate(readHeadings(source, options, resource, resources).headings, resource, resources);
  await session.print(`${JSON.stringify(template, null, 2)}\n`);
  return exitCodes.ok;
}

/** A path if the process that has the calendar open reads the same disk, otherwise the bytes. */
async function contentIn(source: Source, { globals, terminal }: Session): Promise<{ file: string } | { base64: string }> {
  const target = await targetOf(globals, terminal);
  if (target.kind === 'file' && source.path !== undefined) return { file: source.path };
  return { base64: Buffer.concat([...source.chunks()]).toString('base64') };
}
