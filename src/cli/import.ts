import { type Command, InvalidArgumentError, Option } from 'commander';
import { Failure } from '../model/error.ts';
import type { ResourceName } from '../model/resource.ts';
import { addMonths, instantOf, isZone, readDate, startOfDay, toUtc, wallOf } from '../model/time.ts';
import type { Store } from '../store/open.ts';
import { openFile } from './connect.ts';
import type { ImportOptions } from './data/intake.ts';
import { type DataFormat, formats } from './data/out.ts';
import { spoolOf } from './data/spool.ts';
import { taken } from './data/taking.ts';
import { resourceList } from './export.ts';
import { oneOf } from './options.ts';
import type { Session, Shell } from './shell.ts';

export interface ReadingOptions {
  format?: DataFormat;
  only?: ResourceName[];
  map?: Map<string, string>;
  delimiter?: string;
  encoding?: string;
  tz?: string;
  from?: string;
  until?: string;
  dryRun?: boolean;
  lenient?: boolean;
  json?: boolean;
}

/** `calendar import`: records from a file, stdin or an address. */
export function build(command: Command, shell: Shell): void {
  addReading(command)
    .addOption(new Option('--dry-run', 'say what would be done, write nothing'))
    .addOption(new Option('--lenient', 'leave out what is wrong, and take the rest'))
    .addOption(new Option('--json', 'list what was done, as JSON'))
    .action(shell.action((session, [name], options) => importData(session, String(name), options as ReadingOptions)));
}

/** Gives a command the options that say how a file is read. */
export function addReading(command: Command): Command {
  const table = 'Tables:';
  const calendar = 'Calendar files:';
  return command
    .argument('<file>', 'a file, - for stdin, or an http(s) address')
    .addOption(new Option('--format <format>', `${formats.join(', ')}; by its name or its beginning unless told`).argParser(oneOf(formats)))
    .addOption(new Option('--only <resources>', 'some resources only, with commas; what a csv file holds (events)').argParser(resourceList))
    .addOption(
      new Option('--map <pairs>', "what columns stand for, like 'Name=title,Notes='; repeat it").argParser(mapping).helpGroup(table),
    )
    .addOption(new Option('--delimiter <sign>', 'what stands between cells; found out unless told').argParser(sign).helpGroup(table))
    .addOption(new Option('--encoding <name>', 'like windows-1252; utf-8 unless a mark at the beginning says otherwise').helpGroup(table))
    .addOption(new Option('--tz <zone>', 'the zone of times that name none').helpGroup(calendar))
    .addOption(new Option('--from <date>', 'recurring events from this day on (yesterday); then only events from it').helpGroup(calendar))
    .addOption(
      new Option('--until <date>', 'recurring events until this day (in two years); then only events until it').helpGroup(calendar),
    );
}

function mapping(text: string, before = new Map<string, string>()): Map<string, string> {
  for (const pair of text.split(',')) {
    const at = pair.lastIndexOf('=');
    if (at < 1) throw new InvalidArgumentError("It takes pairs like 'Name=title'.");
    before.set(pair.slice(0, at).trim(), pair.slice(at + 1).trim());
  }
  return before;
}

function sign(text: string): string {
  const mark = text === '\\t' || text === 'tab' ? '\t' : text;
  if (mark.length !== 1 || mark === '"' || mark === '\n') throw new InvalidArgumentError('It takes one character, or tab.');
  return mark;
}

/** The options of a reading as the calendar understands them: dates in its zone, the usual window where none is named. */
export function readingFor(store: Store, options: ReadingOptions): ImportOptions {
  const { now, zone } = store.asking();
  const dated = (name: 'from' | 'until'): number | undefined => {
    const text = options[name];
    if (text === undefined) return undefined;
    const read = readDate(text, now, zone);
    if (!read)
      throw new Failure(
        'bad-request',
        `--${name} is not a date that can be read: ${JSON.stringify(text)}`,
        {},
        'Write it like 2027-03-01, today or +3 months.',
      );
    return instantOf(toUtc(read.wall, zone));
  };
  if (options.tz !== undefined && !isZone(options.tz))
    throw new Failure(
      'bad-request',
      `--tz is not a time zone: ${JSON.stringify(options.tz)}`,
      {},
      'Write it like Europe/Paris or UTC+5.5.',
    );
  const today = startOfDay(wallOf(now, zone));
  const usual = { from: instantOf(toUtc(today, zone)) - 86_400_000, until: instantOf(toUtc(addMonths(today, 24), zone)) };
  const [from, until] = [dated('from'), dated('until')];
  const { map, only, delimiter, encoding, tz } = options;
  return {
    window: { from: from ?? usual.from, until: until ?? usual.until },
    strict: from !== undefined || until !== undefined,
    ...{ map, only, delimiter, encoding, tz },
  };
}

async function importData(session: Session, name: string, options: ReadingOptions): Promise<number> {
  const spool = await spoolOf(name, session.terminal, { timeout: (session.globals.timeout ?? 30) * 1000 });
  const store = await openFile(session.globals, session.terminal, 'write').catch(async (error) => {
    await spool.end();
    throw error;
  });
  try {
    const tally = await taken(store, spool, session, { ...options, ...readingFor(store, options) });
    await tally.tell(session, spool.name, options);
    return 0;
  } finally {
    await spool.end();
    await store.close();
  }
}
