import { dateOrders } from '../time/typed/digit-date.ts';

/** The note for an unknown heading whose column a lenient import skips. */
export const skippedColumn = (heading: string): string => `skipped the unknown column ${JSON.stringify(heading)}`;

/** An option for reading a table, as the command line and the page offer it. */
export interface TableOption {
  /** Name in the input of an import. */
  name: 'map' | 'skip_rows' | 'date_order' | 'year' | 'delimiter' | 'encoding' | 'source';
  label: string;
  placeholder: string;
  about: string;
  /** Phrase for a valid text. */
  expected?: string;
  choices?: readonly string[];
  /** The value of a text; undefined for an invalid one. */
  parse(text: string): unknown;
}

/** The heading and the field of a pair like `Day=start_date`. */
export function headingPair(text: string): [heading: string, field: string] | undefined {
  const at = text.lastIndexOf('=');
  return at < 1 ? undefined : [text.slice(0, at).trim(), text.slice(at + 1).trim()];
}

function mapOf(text: string): Record<string, string> | undefined {
  const pairs = text.split(',').map(headingPair);
  return pairs.includes(undefined) ? undefined : Object.fromEntries(pairs as [string, string][]);
}

const numberIf = (pattern: RegExp) => (text: string) => (pattern.test(text) ? Number(text) : undefined);

function delimiterOf(text: string): string | undefined {
  const mark = text === '\\t' || text === 'tab' ? '\t' : text;
  return mark.length !== 1 || mark === '"' || mark === '\n' ? undefined : mark;
}

/** The options for reading a table, in the order of help. */
export const tableOptions: readonly TableOption[] = [
  {
    name: 'map',
    label: 'Columns',
    placeholder: 'pairs',
    about: "Map columns to fields, e.g. 'Day=start_date,From=start_date,Notes='",
    expected: 'pairs like Name=title',
    parse: mapOf,
  },
  {
    name: 'skip_rows',
    label: 'Skipped rows',
    placeholder: 'n',
    about: 'Lines to skip above the headings (default: detected)',
    expected: 'a number of lines',
    parse: numberIf(/^\d{1,6}$/),
  },
  {
    name: 'date_order',
    label: 'Date order',
    placeholder: 'order',
    about: 'Order of dates like 05/06/2027: dmy, mdy or ymd (default: detected)',
    choices: dateOrders,
    parse: (text) => dateOrders.find((order) => order === text),
  },
  {
    name: 'year',
    label: 'Year',
    placeholder: 'year',
    about: 'Year of dates without one, e.g. 24.12.',
    expected: 'a year, e.g. 2027',
    parse: numberIf(/^[1-9]\d{3}$/),
  },
  {
    name: 'delimiter',
    label: 'Delimiter',
    placeholder: 'sign',
    about: 'Cell delimiter (default: detected)',
    expected: 'one character, or tab',
    parse: delimiterOf,
  },
  {
    name: 'encoding',
    label: 'Encoding',
    placeholder: 'name',
    about: 'Character encoding, e.g. windows-1252 (default utf-8, or from a byte order mark)',
    parse: (text) => text,
  },
  {
    name: 'source',
    label: 'Source',
    placeholder: 'name',
    about: 'Name of the tables that belong together (default tables)',
    parse: (text) => text,
  },
];
