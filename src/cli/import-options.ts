import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { type DataFormat, dataFormats } from '../data/export.ts';
import type { ImportOptions } from '../data/ingest/options.ts';
import { parseJson } from '../data/json-position.ts';
import type { ResourceName } from '../model/calendar.ts';
import { Failure, systemFailure } from '../model/error.ts';
import { type DateOrder, dateOrders } from '../model/time/digit-date.ts';
import { readTyped } from './days/locale.ts';
import { oneOf, resourceList } from './options.ts';
import type { Session } from './session.ts';
import type { Terminal } from './terminal/terminal.ts';

/** The options of `import` and `validate`. */
export interface ReadingOptions {
  format?: DataFormat;
  only?: ResourceName[];
  map?: string[];
  skipRows?: number;
  dateOrder?: DateOrder;
  year?: number;
  delimiter?: string;
  encoding?: string;
  tz?: string;
  from?: string;
  until?: string;
  dryRun?: boolean;
  lenient?: boolean;
  json?: boolean;
}

/** Reads the files of `--map @FILE`. */
export async function readingOf({ terminal, globals: { verbose } }: Session, options: ReadingOptions): Promise<ImportOptions> {
  const { format, only, map, skipRows: skip_rows, dateOrder: date_order, year, delimiter, encoding, tz, lenient } = options;
  const [from, until] = [readTyped('from', options.from), readTyped('until', options.until)];
  const fileOptions = { format, only, skip_rows, date_order, year, delimiter, encoding, tz, from, until, lenient, verbose };
  return map ? { ...fileOptions, map: new Map((await Promise.all(map.map((text) => mappingIn(text, terminal)))).flat()) } : fileOptions;
}

type Pair = [heading: string, field: string];

/** Returns the headings and fields in a text like `Day=start_date,Notes=`, or in a file: a JSON object, or a pair on each line. */
async function mappingIn(text: string, { cwd }: Terminal): Promise<Pair[]> {
  if (!text.startsWith('@')) return text.split(',').map((pair) => pairIn(pair, '--map'));
  const name = text.slice(1);
  let content: string;
  try {
    content = (await readFile(resolve(cwd, name), 'utf8')).replace(/^\ufeff/, '');
  } catch (error) {
    throw systemFailure(error, name);
  }
  if (!content.trimStart().startsWith('{')) return content.split(/\r?\n/).flatMap((line) => (line.trim() ? [pairIn(line, name)] : []));
  const document = parseJson(content, name);
  return Object.entries(document as object).map(([heading, field]): Pair => {
    if (typeof field !== 'string') throw new Failure('bad-request', `${name}: ${JSON.stringify(heading)} must be the name of a field`);
    return [heading, field];
  });
}

function pairIn(text: string, place: string): Pair {
  const at = text.lastIndexOf('=');
  if (at < 1) throw new Failure('bad-request', `${place}: invalid pair ${JSON.stringify(text)}`, "Expected pairs like 'Name=title'.");
  return [text.slice(0, at).trim(), text.slice(at + 1).trim()];
}

/** The heading of options of tables in help. */
export const tableOptions = 'CSV options:';

/** Adds the options that control how a file is read. */
export function addReading(command: Command): Command {
  const calendar = 'iCalendar options:';
  return command
    .argument('<file>', 'File, URL, or - for standard input')
    .option('--format <format>', `Format: ${dataFormats.join(', ')} (default: from the file name or content)`, oneOf(dataFormats))
    .option('--only <resources>', 'Comma-separated resources to import; for CSV, the one it contains (default events)', resourceList)
    .addOption(
      new Option('--map <pairs>', "Map columns to fields, e.g. 'Day=start_date,From=start_date,Notes=', or @FILE (repeatable)")
        .argParser((text, before: string[] = []) => [...before, text])
        .helpGroup(tableOptions),
    )
    .addOption(
      new Option('--skip-rows <n>', 'Lines to skip above the headings (default: detected)').argParser(rowCount).helpGroup(tableOptions),
    )
    .addOption(
      new Option('--date-order <order>', 'Order of dates like 05/06/2027: dmy, mdy or ymd (default: detected)')
        .argParser(oneOf(dateOrders))
        .helpGroup(tableOptions),
    )
    .addOption(new Option('--year <year>', 'Year of dates without one, e.g. 24.12.').argParser(parseYear).helpGroup(tableOptions))
    .addOption(new Option('--delimiter <sign>', 'Cell delimiter (default: detected)').argParser(parseDelimiter).helpGroup(tableOptions))
    .addOption(
      new Option('--encoding <name>', 'Character encoding, e.g. windows-1252 (default utf-8, or from a byte order mark)').helpGroup(
        tableOptions,
      ),
    )
    .addOption(new Option('--tz <zone>', 'Time zone of times without one, or with an unknown one (also for CSV)').helpGroup(calendar))
    .addOption(
      new Option('--from <date>', 'First day of recurring events (default yesterday); also skips earlier events').helpGroup(calendar),
    )
    .addOption(
      new Option('--until <date>', 'Last day of recurring events (default in two years); also skips later events').helpGroup(calendar),
    );
}

function rowCount(text: string): number {
  if (!/^\d{1,6}$/.test(text)) throw new InvalidArgumentError('Expected a number of lines.');
  return Number(text);
}

function parseYear(text: string): number {
  if (!/^[1-9]\d{3}$/.test(text)) throw new InvalidArgumentError('Expected a year, e.g. 2027.');
  return Number(text);
}

function parseDelimiter(text: string): string {
  const mark = text === '\\t' || text === 'tab' ? '\t' : text;
  if (mark.length !== 1 || mark === '"' || mark === '\n') throw new InvalidArgumentError('Expected one character, or tab.');
  return mark;
}
