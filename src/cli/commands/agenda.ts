import { type Command, Option } from 'commander';
import type { Calendar } from '../../model/calendar.ts';
import type { Query } from '../../model/fields/list.ts';
import { resources } from '../../model/resources/all.ts';
import { plusDays } from '../../model/time/days.ts';
import { type AgendaFormat, agendaFormats, agendaFormatters, agendaOf } from '../days/agenda.ts';
import { type Display, today } from '../days/display.ts';
import { addDisplayOptions, showDays } from '../days/options.ts';
import { type Range, readRange, spansBetween } from '../days/range.ts';
import { choice } from '../options.ts';
import { checkOutput } from '../records/check-output.ts';
import { fieldsOption } from '../records/output.ts';
import type { Runner } from '../session.ts';

export const weekAhead = (display: Display): Range => ({ from: today(display), to: plusDays(today(display), 6) });

/** Formats the events of a range day by day. `fields` selects fields of JSON. */
export async function* agenda(
  calendar: Calendar,
  range: Range,
  display: Display,
  query: Query = {},
  format: AgendaFormat = 'text',
  fields?: readonly string[],
): AsyncIterable<string> {
  const spans = await spansBetween(calendar, range.from, range.to, display, query);
  yield* agendaFormatters[format](agendaOf(spans, range), display, fields);
}

/** `calendar agenda [RANGE]`. */
export function build(command: Command, runner: Runner): void {
  addDisplayOptions(command)
    .argument('[range]', "Range: today, 'next week', 2027-03, '10 days', 2027-03-01..2027-03-05 (default: one week)")
    .addOption(
      choice('--format <format>', 'Output format: text, markdown, html or json (default text)', agendaFormats).helpGroup('Output:'),
    )
    .addOption(new Option('--json', 'Output JSON; --json=id,title selects fields').helpGroup('Output:'))
    .addOption(fieldsOption('Fields of the events in JSON, e.g. id,title,venue.city'))
    .action(
      runner.action((session, [text], { json, ...options }) => {
        const format = (options.format as AgendaFormat | undefined) ?? (json || options.fields ? 'json' : 'text');
        const fields = options.fields as string[] | undefined;
        return showDays(session, options, (display) => {
          const range = text === undefined ? weekAhead(display) : readRange(String(text), display);
          return async function* (calendar, query, connection) {
            await checkOutput({ fields }, resources.events, connection);
            yield* agenda(calendar, range, display, query, format, fields);
          };
        });
      }),
    );
}
