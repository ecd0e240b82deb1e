import { type Command, InvalidArgumentError, Option } from 'commander';
import { type DataFormat, dataFormats } from '../data/export.ts';
import type { ImportOptions } from '../data/ingest/options.ts';
import type { ResourceName } from '../model/calendar.ts';
import { oneOf, resourceList } from './options.ts';

/** What `import` and `validate` were given. */
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

/** The options that say how a file is read. */
export const readingOf = (options: ReadingOptions): ImportOptions => {
  const { format, only, map, delimiter, encoding, tz, from, until, lenient } = options;
  return { format, only, map, delimiter, encoding, tz, from, until, lenient };
};

/** Gives a command the options that say how a file is read. */
export function addReading(command: Command): Command {
  const table = 'Tables:';
  const calendar = 'Calendar files:';
  return command
    .argument('<file>', 'a file, - for stdin, or an http(s) address')
    .addOption(
      new Option('--format <format>', `${dataFormats.join(', ')}; by its name or its beginning unless told`).argParser(oneOf(dataFormats)),
    )
    .addOption(new Option('--only <resources>', 'some resources only, with commas; what a csv file holds (events)').argParser(resourceList))
    .addOption(
      new Option(
        '--map <pairs>',
        "what columns stand for, like 'Day=start_date,From=start_date,Notes='; two for one field are joined; repeat it",
      )
        .argParser(mapping)
        .helpGroup(table),
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
