import ICAL from 'ical.js';
import type { Problem } from '../error.ts';
import type { Component } from './components.ts';

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

/** Supported properties of events, time zones and calendars. */
const supported = new Set(
  (
    'dtstart dtend duration rrule exrule rdate exdate recurrence-id uid sequence summary description location geo categories organizer contact status class url ' +
    'image attach x-tags x-cost x-alt-desc x-timezone x-hide-from-listings x-microsoft-cdo-alldayevent ' +
    'tzid tzoffsetfrom tzoffsetto x-lic-location version name x-wr-calname x-wr-timezone'
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
      const isList = name === 'categories' || name === 'x-tags';
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

/** Returns the value of a line, after the name and parameters. */
export const rawOf = (text: string): string => text.replace(/^(?:[^":]|"[^"]*")*:/, '');

/** Splits a list of texts. The parser misreads commas after an escaped backslash and keeps unknown escapes. */
const textsOf = (raw: string): string[] => (raw.match(/(?:\\.|[^\\,]+)+/gs) ?? []).map(unescaped);

const unescaped = (text: string): string => text.replace(/\\(.)/gs, (_, mark: string) => (mark === 'n' || mark === 'N' ? '\n' : mark));

/** Returns the first value of a property as text; empty if missing. */
export const propertyText = (properties: readonly Property[], name: string): string =>
  textOf(properties.find((each) => each.name === name));

export function textOf(property: Property | undefined): string {
  const value = property?.values[0];
  return typeof value === 'string' ? value.trim() : value === undefined ? '' : String(value);
}

/** Returns a parameter as text; empty if missing. */
export const parameterOf = (property: Property, name: string): string => {
  const value = property.parameters[name];
  return (Array.isArray(value) ? value[0] : value) ?? '';
};
