import type { Done, RecordChange } from '../../model/operations/summary.ts';
import { startOfDay } from '../../model/time/datetime.ts';
import type { Session } from '../session.ts';
import { columnsOf } from '../terminal/terminal.ts';
import { table } from './table.ts';

/** Prints the records of a summary as a table, with the dates of events written out. */
export async function printChanges(session: Session, { records }: Pick<Done, 'records'>): Promise<void> {
  const changes = records.filter(({ action }) => action !== 'unchanged');
  if (!changes.length) return;
  const rows = changes.map((change) => ({ ...change, id: change.id ?? 0, dates: datesText(change) }));
  const columns = ['action', 'resource', 'name', ...(changes.some(({ start_date }) => start_date) ? ['dates'] : [])];
  for await (const line of table(rows, columns, { width: columnsOf(session.terminal.stdout), color: false })) await session.print(line);
}

const dayFormat = new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' });
const dayText = (wall: string): string => dayFormat.format(new Date(`${wall.slice(0, 10)}T00:00:00Z`)).replace(/^(\w+),/, '$1');

/** Formats dates, e.g. `Mon 7 Jun 2027, 19:30–21:00 Europe/Berlin`. */
export function datesText({ start_date: start, end_date: end, timezone, all_day }: Partial<RecordChange>): string {
  if (start === undefined || end === undefined) return '';
  const isOneDay = startOfDay(start) === startOfDay(end);
  if (all_day) return `${dayText(start)}${isOneDay ? '' : ` – ${dayText(end)}`}, all day`;
  const from = `${dayText(start)}, ${start.slice(11, 16)}`;
  const to = isOneDay ? `–${end.slice(11, 16)}` : ` – ${dayText(end)}, ${end.slice(11, 16)}`;
  return `${from}${start === end ? '' : to} ${timezone ?? ''}`.trim();
}
