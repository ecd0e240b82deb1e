import ICAL from 'ical.js';
import { DataError, type Problem } from '../error.ts';
import { linesIn, maxLineLength, type TextLine } from '../formats/decode.ts';

/** A property with values parsed by type (RFC 7265): unescaped texts, dates as `2027-03-01T10:00:00Z`. */
export interface Property {
  name: string;
  parameters: Record<string, string | string[]>;
  type: string;
  values: unknown[];
  /** Raw value in the file. */
  raw: string;
  line: number;
}
type Jcal = [name: string, parameters: Record<string, string | string[]>, type: string, ...values: unknown[]];

/** Properties whose values are separated by commas. */
const lists = new Set(['categories', 'x-tags', 'x-venues', 'x-locations', 'x-prices']);

/** Supported properties of events, time zones and calendars. */
const supported = new Set(
  (
    'dtstart dtend duration rrule exrule rdate exdate recurrence-id uid sequence summary description location geo categories organizer contact status class url ' +
    'image attach x-tags x-venues x-locations x-prices x-cost x-alt-desc x-timezone x-hide-from-listings x-microsoft-cdo-alldayevent ' +
    'tzid tzoffsetfrom tzoffsetto x-lic-location version name prodid x-original-url x-wr-calname x-wr-timezone'
  ).split(' '),
);
/** Maximum length of a name with parameters. */
const maxHeadLength = 65_536;

/** Parses the supported properties of a component. Adds a problem for each invalid line. */
export function propertiesOf(component: Component, problems: Problem[]): Property[] {
  const properties: Property[] = [];
  for (const { text, line } of component.lines) {
    const end = text.search(/[^A-Za-z0-9-]/);
    const name = end > 0 && (text[end] === ':' || text[end] === ';') ? text.slice(0, end).toLowerCase() : undefined;
    if (name !== undefined && !supported.has(name)) continue;
    try {
      const raw = rawOf(text);
      if (text.length - raw.length > maxHeadLength) throw new Error('too many parameters');
      const [, parameters, type, ...values] =
        name !== undefined && text[name.length] === ':' ? plainProperty(name, text, raw) : parse(text);
      if (name === undefined) continue;
      const isList = name !== undefined && lists.has(name);
      const texts = isList
        ? textsOf(raw)
        : name.startsWith('x-')
          ? values.map((value) => (typeof value === 'string' ? unescaped(value) : value))
          : values;
      properties.push({ name, parameters, type, values: texts, raw, line });
    } catch (error) {
      const excerpt = JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text);
      const reason = String((error as Error).message)
        .split(/["']/)[0]!
        .trim();
      problems.push({ at: `line ${line}`, reason: `invalid property ${excerpt} (${reason})` });
    }
  }
  return properties;
}

const parse = (text: string) => ICAL.parse.property(text) as Jcal;
const { property: designs, value: types } = ICAL.design.icalendar;

/** Parses a property without parameters. The parser takes ten times longer for a text. */
function plainProperty(name: string, text: string, raw: string): Jcal {
  const type: string = designs[name]?.defaultType ?? 'unknown';
  if (type === 'text') return [name, {}, type, types.text.fromICAL(raw)];
  return type === 'unknown' ? [name, {}, type, raw] : parse(text);
}

/** The value of a line, after the name and parameters. */
export const rawOf = (text: string): string => text.replace(/^(?:[^":]|"[^"]*")*:/, '');

/** Splits a list of texts. The parser misreads commas after an escaped backslash and keeps unknown escapes. */
const textsOf = (raw: string): string[] => (raw.match(/(?:\\.|[^\\,]+)+/gs) ?? []).map(unescaped);

const unescaped = (text: string): string => text.replace(/\\(.)/gs, (_, mark: string) => (mark === 'n' || mark === 'N' ? '\n' : mark));

/** Empty if missing. */
export const propertyText = (properties: readonly Property[], name: string): string =>
  decodedText(properties.find((each) => each.name === name));

export function decodedText(property: Property | undefined): string {
  const value = property?.values[0];
  return typeof value === 'string' ? value.trim() : value === undefined ? '' : String(value);
}

/** Empty if missing. */
export const parameterText = (property: Property, name: string): string => {
  const value = property.parameters[name];
  return (Array.isArray(value) ? value[0] : value) ?? '';
};

/** A component: its unfolded lines with their numbers, and nested components. */
export interface Component {
  name: string;
  line: number;
  lines: TextLine[];
  children: Component[];
}

/** Unfolds lines: a line that starts with a space or tab continues the previous one (RFC 5545, 3.1). Skips empty lines. */
function* unfolded(lines: Iterable<TextLine>): Generator<TextLine> {
  let current: TextLine | undefined;
  let length = 0;
  for (const next of lines) {
    const { text } = next;
    if (current && (text.startsWith(' ') || text.startsWith('\t'))) {
      current.text += text.slice(1);
      length += text.length;
      if (length > maxLineLength)
        throw new DataError(`line ${current.line}`, `line is longer than ${maxLineLength >> 20} MiB with its continuations`);
    } else if (text.trim() !== '') {
      if (current) yield current;
      current = next;
      length = text.length;
    }
  }
  if (current) yield current;
}

const markForm = /^(BEGIN|END):\s*([A-Za-z0-9-]+)\s*$/i;

/**
 * Yields the components of calendars, and after each calendar a component `VCALENDAR` with only its own lines. Keeps one component in memory. Throws a DataError for
 * invalid nesting.
 */
export function* componentsIn(chunks: Iterable<string>): Generator<Component> {
  const open: Component[] = [];
  let calendars = 0;
  for (const property of unfolded(linesIn(chunks))) {
    const { text, line } = property;
    const top = open.at(-1);
    const mark = markForm.exec(text);
    const name = mark ? mark[2]!.toUpperCase() : '';
    if (!mark) {
      if (!top) throw new DataError(`line ${line}`, `expected BEGIN:VCALENDAR, found ${JSON.stringify(text.slice(0, 40))}`);
      top.lines.push(property);
    } else if (mark[1]!.toUpperCase() === 'BEGIN') {
      if (!top && name !== 'VCALENDAR') throw new DataError(`line ${line}`, `expected BEGIN:VCALENDAR, found ${text}`);
      open.push({ name, line, lines: [], children: [] });
    } else {
      const closed = open.pop();
      if (closed?.name !== name)
        throw new DataError(
          `line ${line}`,
          closed ? `expected END:${closed.name} for line ${closed.line}, found ${text}` : `${text} without BEGIN`,
        );
      if (open.length > 1) open.at(-1)!.children.push(closed);
      else yield closed;
      if (!open.length) calendars++;
    }
  }
  const last = open.at(-1);
  if (last) throw new DataError(`line ${last.line}`, `BEGIN:${last.name} without END; the file may be truncated`);
  if (!calendars) throw new DataError('line 1', 'expected BEGIN:VCALENDAR, found nothing');
}

// ical.js can write lines, too, but with up to 76 octets and control characters, and exports would load its parser.

/** Escapes a property value (RFC 5545, 3.3.11) and removes control characters. */
export const escapeText = (text: string): string =>
  text
    .replace(/\r\n?/g, '\n')
    .replace(/[\0-\x08\x0b-\x1f\x7f]/g, '')
    .replace(/[\\;,]/g, '\\$&')
    .replaceAll('\n', '\\n');

/** Escapes a parameter value (RFC 5545, 3.2; RFC 6868) and quotes it if necessary. */
export function escapeParameter(text: string): string {
  const clean = text
    .replaceAll('^', '^^')
    .replace(/\r\n?|\n/g, '^n')
    .replaceAll('"', "^'")
    .replace(/[\0-\x08\x0a-\x1f\x7f]/g, '');
  return /[:;,]/.test(clean) ? `"${clean}"` : clean;
}

/** Folds a content line to at most 75 octets per line without splitting characters, and adds CRLF (RFC 5545, 3.1). */
export function foldLine(line: string): string {
  if (line.length <= 25 || (line.length <= 75 && /^[\x20-\x7e]*$/.test(line))) return `${line}\r\n`;
  let folded = '';
  let octets = 0;
  for (const character of line) {
    const size = octetsOf(character.codePointAt(0)!);
    if (octets + size > 75) {
      folded += '\r\n ';
      octets = 1;
    }
    folded += character;
    octets += size;
  }
  return `${folded}\r\n`;
}

function octetsOf(code: number): number {
  return code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
}
