import type { Input } from '../../model/calendar.ts';
import { DataError, type Problem } from '../../model/error.ts';
import { maxRepeats, repeatFault, type Series } from '../../model/ical/occurrence.ts';
import { expandSeries } from '../../model/ical/series.ts';
import type { LocalCalendar } from '../../store/calendar.ts';

const lastMoment = Date.UTC(9999, 11, 31);

/**
 * Makes an event the first of a series and returns the inputs of the others. Throws a DataError for a rule without an end, with more than 730
 * events, or that doesn't contain the event.
 */
export function repeatEvent(local: LocalCalendar, id: number, rule: string, at: string): Input[] {
  const fail = (reason: string) => new DataError(`${at}.repeat`, reason);
  const fault = repeatFault(rule);
  if (fault) throw fail(fault);
  const { id: _id, uid, slug, modified, modified_utc, ...source } = local.source('events', id)!;
  const { start_date, end_date, timezone, all_day } = local.entry('events', id) ?? source;
  const series: Series = {
    uid: String(uid),
    rule: rule.trim(),
    start: String(start_date),
    end: String(end_date),
    timezone: String(timezone),
    all_day: all_day === true,
    from: 0,
    until: lastMoment,
  };
  const problems: Problem[] = [];
  const [first, ...others] = expandSeries(series, problems);
  if (problems[0]) throw fail(problems[0].reason);
  if (first?.start_date !== series.start) throw fail(`${rule} does not contain the start ${series.start}`);
  if (!others.length && !/(?:^|;)\s*COUNT=0*1\s*(?:;|$)/i.test(rule)) throw fail(`${rule} has no event after the first, ${series.start}`);
  if (others.length >= maxRepeats) throw fail(`${rule} has more than ${maxRepeats} events`);
  local.series.set(series);
  local.series.adopt(id, first.uid);
  return others.map(({ uid: own, start_date: start, end_date: end }) => ({
    ...source,
    uid: own,
    slug: `${slug}-${start.slice(0, 10)}`,
    start_date: start,
    end_date: end,
  }));
}
