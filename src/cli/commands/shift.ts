import { type Command, InvalidArgumentError, Option } from 'commander';
import { listWhole } from '../../data/record-names.ts';
import type { Calendar, Entry } from '../../model/calendar.ts';
import { Failure } from '../../model/error.ts';
import { maxPerPage, type Query } from '../../model/fields/list.ts';
import type { RecordChange } from '../../model/operation-types.ts';
import { resources } from '../../model/resources/all.ts';
import { durationForms, movedDates, readLength } from '../../model/time/date-steps.ts';
import type { RunOperation } from '../connect/connect.ts';
import { operate } from '../connect/operate.ts';
import { targetOf } from '../connect/target.ts';
import { addOptions, optionsOf, queryFrom } from '../options.ts';
import { countsText, dryOf, printDone, type SummaryOptions, tellUndo, withProgress } from '../print/summary.ts';
import { resolveQuery } from '../records/arguments.ts';
import { type ListSpan, spanBounds, spanOptions } from '../records/dates.ts';
import { recordsFrom } from '../records/pages.ts';
import { forEach } from '../records/targets.ts';
import type { Runner, Session } from '../session.ts';

type ShiftOptions = SummaryOptions & ListSpan & Record<string, unknown> & { by: string; generated?: boolean };

const filters = resources.events.list.parameters.filter(({ name }) => !['page', 'per_page'].includes(name));

/** `calendar shift` and `calendar events shift`: move events by a duration. Days and longer keep the time of day. */
export function build(command: Command, runner: Runner): void {
  command
    .addOption(
      new Option('--by <duration>', `Duration, e.g. ${durationForms}; to go back, use --by=-7d`)
        .argParser(parseDuration)
        .makeOptionMandatory(),
    )
    .addOption(new Option('--series <event>', 'Only the series of this event').conflicts('include'))
    .option('--generated', 'Only move events that calendar generate created')
    .option('--dry-run', 'Show what would change')
    .option('--json', 'Output JSON with every event');
  addOptions(command, [...spanOptions(), ...optionsOf(filters, () => 'Filters (default: all events except the trash):')]);
  command.action(runner.action((session, _args, options) => shiftCommand(session, options as ShiftOptions)));
}

function parseDuration(text: string): string {
  if (!readLength(text)) throw new InvalidArgumentError(`Expected a duration, e.g. ${durationForms}; to go back, use a minus sign.`);
  return text;
}

async function shiftCommand(session: Session, options: ShiftOptions): Promise<number | undefined> {
  const { by, generated } = options;
  const filterQuery = queryFrom(filters, options);
  const isFiltered =
    options.series !== undefined ||
    Object.keys(filterQuery).length > 0 ||
    ['from', 'to', 'past'].some((name) => options[name] !== undefined);
  const { kind } = await targetOf(session.globals, session.terminal);
  let query = {};
  let shift: RunOperation = (name, input, onProgress) => operate(session, 'write', name, input, onProgress);
  if (isFiltered || kind === 'remote') {
    const connection = await session.connect('update');
    const onYear = (text: string) => session.tell(text, true);
    query = { ...(await resolveQuery(filters, filterQuery, connection, onYear)), ...(await spanBounds(options, connection, onYear)) };
    if (typeof options.series === 'string') {
      const { seriesNames } = await import('../records/series.ts');
      const ids = await seriesNames([options.series], resources.events, connection.calendar.events);
      query = { ...query, include: ids.join() };
    }
    if (!(await connection.isControlled())) return shiftOneByOne(session, connection.calendar, by, query, options);
    shift = connection.control;
  }
  const input = { ...dryOf(options), list: Boolean(options.json || options.dryRun), by, generated, filters: query };
  const done = await withProgress(session, 'shifting', options, (onProgress) => shift('shift', input, onProgress));
  if (options.dryRun && !options.json) await (await import('../print/table.ts')).printChanges(session, done);
  await printDone(session, 'Shifted', done, options);
  return undefined;
}

/** Moves the events that a query selects, one request for each, on a server without the control API. Reports failures and continues. */
async function shiftOneByOne(
  session: Session,
  { events }: Calendar,
  by: string,
  filters: Query,
  options: SummaryOptions & { generated?: boolean },
): Promise<number> {
  if (options.generated) throw new Failure('bad-request', 'This server does not know which events were generated', 'Use other filters.');
  const { page, query } = await listWhole({ ...filters, per_page: String(maxPerPage) }, resources.events, events);
  const matches: Entry[] = [];
  for await (const entry of recordsFrom(page, events, query, Number.POSITIVE_INFINITY)) matches.push(entry);
  const duration = readLength(by)!;
  const work = async (entry: Entry): Promise<Entry> => {
    const dates = movedDates(entry, duration);
    const action = dates.start_date !== entry.start_date || dates.end_date !== entry.end_date ? 'updated' : 'unchanged';
    const moved = action === 'updated' && !options.dryRun ? await events.update({ id: entry.id }, dates) : { ...entry, ...dates };
    counts[action]++;
    const { timezone, all_day } = entry as Pick<RecordChange, 'timezone' | 'all_day'>;
    records.push({ action, resource: 'events', id: entry.id, name: String(entry.title), ...dates, timezone, all_day });
    return moved;
  };
  const counts = { created: 0, updated: 0, unchanged: 0, skipped: 0, deleted: 0 };
  const records: RecordChange[] = [];
  const results = forEach(session, matches, ({ id }) => String(id), { ...options }, work);
  for await (const _ of results.entries());
  if (options.dryRun && !options.json) await (await import('../print/table.ts')).printChanges(session, { records });
  if (options.json) await session.print(`${JSON.stringify({ ...counts, dry_run: Boolean(options.dryRun), records }, null, 2)}\n`);
  else await session.tell(`calendar: Shifted: ${countsText(counts)}${options.dryRun ? ' (dry run, nothing was written)' : ''}`);
  if (counts.updated && !options.dryRun) await tellUndo(session, undefined);
  return results.exit;
}
