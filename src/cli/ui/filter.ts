import type { Entry } from '../../model/calendar.ts';
import type { Query } from '../../model/fields/list.ts';
import { resources } from '../../model/resources/all.ts';
import { linkFields } from '../../model/resources/relations.ts';
import type { Span } from '../days/span.ts';
import { displayText } from '../print/words.ts';

/** A category, tag, venue or organizer to filter events by. */
export interface Choice {
  /** Query parameter: the name of the field that links to it. */
  parameter: string;
  /** ID of the record. */
  value: string;
  label: string;
  /** Kind of the record: category, venue … */
  kind: string;
}

const links = linkFields('events');
const keyOf = ({ parameter, value }: Choice): string => `${parameter} ${value}`;

/** Adds the records that events are linked to, in the order of the fields and by name; not those of `fixed` parameters. */
export function withChoices(choices: readonly Choice[], spans: readonly Span[], fixed: readonly string[]): readonly Choice[] {
  const added = new Map(choices.map((choice) => [keyOf(choice), choice]));
  for (const { entry } of spans)
    for (const choice of choicesOf(entry))
      if (!fixed.includes(choice.parameter) && !added.has(keyOf(choice))) added.set(keyOf(choice), choice);
  if (added.size === choices.length) return choices;
  const rank = ({ parameter }: Choice) => links.findIndex(({ name }) => name === parameter);
  return [...added.values()].sort((one, other) => rank(one) - rank(other) || one.label.localeCompare(other.label));
}

const choicesOf = (entry: Entry): Choice[] =>
  links.flatMap(({ name, links: target }) => {
    const { kind, label } = resources[target];
    const linked = [entry[name] ?? []].flat() as Entry[];
    return linked
      .filter(({ id }) => id !== undefined)
      .map((record) => ({ parameter: name, value: String(record.id), label: displayText(record[label]), kind }));
  });

/** Adds a choice to a filter, or removes it. */
export const toggled = (filter: readonly Choice[], choice: Choice): readonly Choice[] =>
  isChosen(filter, choice) ? filter.filter((each) => keyOf(each) !== keyOf(choice)) : [...filter, choice];

export const isChosen = (filter: readonly Choice[], choice: Choice): boolean => filter.some((each) => keyOf(each) === keyOf(choice));

/** Returns the query for a filter: any of the records of one kind, and one of each kind. */
export function filterQuery(filter: readonly Choice[]): Query {
  const query: Record<string, string> = {};
  for (const { parameter, value } of filter) query[parameter] = query[parameter] ? `${query[parameter]},${value}` : value;
  return query;
}
