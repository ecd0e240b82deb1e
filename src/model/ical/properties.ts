import ICAL from 'ical.js';
import type { Problem } from '../error.ts';
import type { Component } from './components.ts';

/** One property of a component, its values parsed by their type (RFC 7265): texts unescaped, dates as `2027-03-01T10:00:00Z`. */
export interface Property {
  name: string;
  parameters: Record<string, string | string[]>;
  type: string;
  values: unknown[];
  /** The value as it stands in the file. */
  raw: string;
  line: number;
}
type Jcal = [name: string, parameters: Record<string, string | string[]>, type: string, ...values: unknown[]];

/** The properties of a component; lines that are none become problems. */
export function propertiesOf(component: Component, problems: Problem[]): Property[] {
  const properties: Property[] = [];
  for (const { text, line } of component.lines) {
    try {
      const [name, parameters, type, ...values] = ICAL.parse.property(text) as Jcal;
      const raw = text.replace(/^(?:[^":]|"[^"]*")*:/, '');
      properties.push({ name, parameters, type, values: name.startsWith('x-') ? xValues(name, values) : values, raw, line });
    } catch (error) {
      const shown = JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text);
      problems.push({
        at: `line ${line}`,
        reason: `is no property: ${shown} (${String((error as Error).message)
          .split('"')[0]!
          .trim()})`,
      });
    }
  }
  return properties;
}

/** The parser leaves values of unknown properties escaped; those read here are texts, and the tags a list of them. */
function xValues(name: string, values: unknown[]): unknown[] {
  return values.flatMap((value) => {
    if (typeof value !== 'string') return [value];
    const parts = name === 'x-tags' ? (value.match(/(?:\\.|[^\\,])+/gs) ?? []) : [value];
    return parts.map((part) => part.replace(/\\(.)/gs, (_, mark: string) => (mark === 'n' || mark === 'N' ? '\n' : mark)));
  });
}

/** The first value of a property as text; empty when it is not there. */
export function propertyText(properties: readonly Property[], name: string): string {
  const value = properties.find((property) => property.name === name)?.values[0];
  return typeof value === 'string' ? value.trim() : value === undefined ? '' : String(value);
}

/** A parameter as text; empty when it is not there. */
export const parameterOf = (property: Property, name: string): string => {
  const value = property.parameters[name];
  return (Array.isArray(value) ? value[0] : value) ?? '';
};

/** A component and those in it in the form of RFC 7265, for the parser's own classes. */
export function jcalOf(component: Component): unknown[] {
  const properties = propertiesOf(component, []).map(({ name, parameters, type, values }) => [name, parameters, type, ...values]);
  return [component.name.toLowerCase(), properties, component.children.map(jcalOf)];
}
