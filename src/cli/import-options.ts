import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { type DataFormat, dataFormats } from '../data/export.ts';
import type { ImportOptions } from '../data/ingest/options.ts';
import { parseJson } from '../data/json-position.ts';
import type { ResourceName } from '../model/calendar.ts';
import { Failure, systemFailure } from '../model/error.ts';
import { headingPair, type TableOption, tableOptions } from '../model/operations/table-options.ts';
import type { DateOrder } from '../model/time/typed/digit-date.ts';
import { readTyped } from './days/locale.ts';
import { parseOneOf, parseResources } from './options.ts';
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

/** The headings and fields in a text like `Day=start_date,Notes=`, or in a file: a JSON object, or a pair on each line. */
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
  const pair = headingPair(text);
  if (!pair) throw new Failure('bad-request', `${place}: invalid pair ${JSON.stringify(text)}`, "Expected pairs like 'Name=title'.");
  return pair;
}

/** The heading of options of tables in help. */
export const tableHeading = 'CSV options:';

/** Adds the options that control how a file is read. */
export function addReading(command: Command, files: '<file>' | '<file...>' = '<file>'): Command {
  const calendar = 'iCalendar options:';
  command
    .argument(files, `${files === '<file>' ? 'File, URL' : 'Files, URLs'}, or - for standard input`)
    .option('--format <format>', `Format: ${dataFormats.join(', ')} (default: from the file name or content)`, parseOneOf(dataFormats))
    .option('--only <resources>', 'Comma-separated resources to import; for CSV, the one it contains (default events)', parseResources);
  for (const option of tableOptions) if (option.name !== 'source') command.addOption(tableOption(option));
  return command
    .addOption(new Option('--tz <zone>', 'Time zone of times without one, or with an unknown one (also for CSV)').helpGroup(calendar))
    .addOption(
      new Option('--from <date>', 'First day of recurring events (default yesterday); also skips earlier events').helpGroup(calendar),
    )
    .addOption(
      new Option('--until <date>', 'Last day of recurring events (default in two years); also skips later events').helpGroup(calendar),
    );
}

export function tableOption({ name, placeholder, about, expected, choices, parse }: TableOption): Option {
  const option = new Option(`--${name.replace('_', '-')} <${placeholder}>`, about).helpGroup(tableHeading);
  if (choices) return option.argParser(parseOneOf(choices));
  if (name === 'map') {
    option.description += ', or @FILE (repeatable)';
    return option.argParser((text, before: string[] = []) => [...before, text]);
  }
  return option.argParser((text) => {
    const value = parse(text);
    if (value === undefined) throw new InvalidArgumentError(`Expected ${expected}.`);
    return value;
  });
}
