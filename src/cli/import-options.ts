import { type Command, InvalidArgumentError, Option } from 'commander';
import { type DataFormat, dataFormats } from '../data/export.ts';
import type { ImportOptions } from '../data/ingest/options.ts';
import type { ResourceName } from '../model/calendar.ts';
import { oneOf, resourceList } from './options.ts';

/** The options of `import` and `validate`. */
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

/** Returns the options that control how a file is read. */
export const readingOf = (options: ReadingOptions): ImportOptions => {
  const { format, only, map, delimiter, encoding, tz, from, until, lenient } = options;
  return { format, only, map, delimiter, encoding, tz, from, until, lenient };
};

/** Adds the options that control how a file is read. */
export function addReading(command: Command): Command {
  const table = 'CSV options:';
  const calendar = 'iCalendar options:';
  return command
    .argument('<file>', 'File, URL, or - for standard input')
    .addOption(
      new Option('--format <format>', `Format: ${dataFormats.join(', ')} (default: from the file name or content)`).argParser(
        oneOf(dataFormats),
      ),
    )
    .addOption(
      new Option('--only <resources>', 'Comma-separated resources to import; for CSV, the one it contains (default events)').argParser(
        resourceList,
      ),
    )
    .addOption(
      new Option('--map <pairs>', "Map columns to fields, e.g. 'Day=start_date,From=start_date,Notes=' (repeatable)")
        .argParser(parseMapping)
        .helpGroup(table),
    )
    .addOption(new Option('--delimiter <sign>', 'Cell delimiter (default: detected)').argParser(parseDelimiter).helpGroup(table))
    .addOption(
      new Option('--encoding <name>', 'Character encoding, e.g. windows-1252 (default utf-8, or from a byte order mark)').helpGroup(table),
    )
    .addOption(new Option('--tz <zone>', 'Time zone of times without one').helpGroup(calendar))
    .addOption(
      new Option('--from <date>', 'First day of recurring events (default yesterday); also skips earlier events').helpGroup(calendar),
    )
    .addOption(
      new Option('--until <date>', 'Last day of recurring events (default in two years); also skips later events').helpGroup(calendar),
    );
}

function parseMapping(text: string, before = new Map<string, string>()): Map<string, string> {
  for (const pair of text.split(',')) {
    const at = pair.lastIndexOf('=');
    if (at < 1) throw new InvalidArgumentError("Expected pairs like 'Name=title'.");
    before.set(pair.slice(0, at).trim(), pair.slice(at + 1).trim());
  }
  return before;
}

function parseDelimiter(text: string): string {
  const mark = text === '\\t' || text === 'tab' ? '\t' : text;
  if (mark.length !== 1 || mark === '"' || mark === '\n') throw new InvalidArgumentError('Expected one character, or tab.');
  return mark;
}
