import { calendarDay, epochOf, modulo } from '../time/datetime.ts';

/** Limits the work to expand rules, since a short rule can take forever. */
export class Steps {
  /** `all` are the steps of the whole file, which the steps of a rule count towards. */
  constructor(
    private left: number,
    private readonly all?: Steps,
  ) {}

  /** Throws if no steps are left. */
  take(): void {
    this.all?.take();
    if (this.left-- <= 0) throw new Error('takes too many steps to expand');
  }
}

const frequencies = ['YEARLY', 'MONTHLY', 'WEEKLY', 'DAILY', 'HOURLY', 'MINUTELY', 'SECONDLY'] as const;
type Frequency = (typeof frequencies)[number];
/** Frequencies shorter than a day, in milliseconds. */
const units: Partial<Record<Frequency, number>> = { HOURLY: 3_600_000, MINUTELY: 60_000, SECONDLY: 1000 };

/** A recurrence rule (RFC 5545, 3.3.10). Missing lists are empty; weekdays count from Sunday, 0. */
export interface Rule {
  freq: Frequency;
  interval: number;
  /** Number of occurrences; infinite without COUNT. */
  count: number;
  /** UNTIL in the format of RFC 7265. */
  until?: string;
  weekStart: number;
  months: number[];
  weeks: number[];
  yearDays: number[];
  monthDays: number[];
  /** Weekdays. A number selects one of the month or year, counted from the end if negative. */
  days: { nth: number; weekday: number }[];
  hours: number[];
  minutes: number[];
  seconds: number[];
  positions: number[];
}

const weekdays = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA'];
const ruleParts = 'freq interval count until wkst bymonth byweekno byyearday bymonthday byday byhour byminute bysecond bysetpos'.split(' ');

/** Converts a rule from the parser. Rules of all-day events have no times. Throws for unsupported parts. */
export function ruleFrom(data: Record<string, unknown>, isAllDay: boolean): Rule {
  const unknown = Object.keys(data).find((name) => name !== '' && !ruleParts.includes(name) && !name.startsWith('x-'));
  if (unknown !== undefined && !(unknown === 'rscale' && data.rscale === 'GREGORIAN'))
    throw new Error(`has the unsupported part ${unknown.toUpperCase()}`);
  const freq = data.freq as Frequency;
  if (!frequencies.includes(freq)) throw new Error('has no FREQ');
  if (isAllDay && freq in units) throw new Error(`repeats an all-day event ${freq.toLowerCase()}`);
  const all = (value: unknown) => [value ?? []].flat();
  const numbers = (name: string) => all(data[name]).map(Number);
  const ofClock = (name: string) => (isAllDay ? [] : numbers(name));
  return {
    freq,
    interval: Math.min(Number(data.interval ?? 1), 1e9),
    count: Number(data.count) || Number.POSITIVE_INFINITY,
    until: data.until as string | undefined,
    weekStart: Number(data.wkst ?? 2) - 1,
    months: numbers('bymonth'),
    weeks: numbers('byweekno'),
    yearDays: numbers('byyearday'),
    monthDays: numbers('bymonthday'),
    hours: ofClock('byhour'),
    minutes: ofClock('byminute'),
    seconds: ofClock('bysecond'),
    positions: numbers('bysetpos'),
    days: all(data.byday).map((text) => ({
      nth: Number.parseInt(String(text), 10) || 0,
      weekday: weekdays.indexOf(String(text).slice(-2)),
    })),
  };
}

const day = 86_400_000;

/** A day and the number of days of its month. */
interface Day {
  at: number;
  year: number;
  month: number;
  date: number;
  weekday: number;
  monthLength: number;
}

const weekdayOf = (at: number) => modulo(Math.floor(at / day) + 4, 7);
const lengthOf = (year: number, month: number) =>
  month === 2 ? lengthOfYear(year) - 337 : month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;

function dayAt(at: number): Day {
  const { year, month, day: date } = calendarDay(at);
  return { at, year, month, date, weekday: weekdayOf(at), monthLength: lengthOf(year, month) };
}

function* daysOf(year: number, month: number): Generator<Day> {
  const monthLength = lengthOf(year, month);
  const first = epochOf(year, month, 1);
  for (let date = 1, at = first, weekday = weekdayOf(first); date <= monthLength; date++, at += day, weekday = (weekday + 1) % 7)
    yield { at, year, month, date, weekday, monthLength };
}

const lengthOfYear = (year: number) => (year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 366 : 365);
const yearDayOf = ({ at, year }: Day) => (at - epochOf(year, 1, 1)) / day + 1;

/**
 * Yields the times of a rule in order, from its start to `until`. May skip times before `from`, unless the rule has a COUNT. All are wall times as epoch milliseconds in
 * UTC. Includes the start only if the rule matches it.
 */
export function* timesOf(original: Rule, start: number, { from, until }: { from: number; until: number }, steps: Steps): Generator<number> {
  const rule = completeRule(original, start);
  const { interval, positions } = rule;
  const periods = new Periods(rule);
  const first = periods.of(start);
  const skipped = original.count === Number.POSITIVE_INFINITY ? Math.max(0, Math.floor((periods.of(from) - first) / periods.step)) : 0;
  for (let period = first + skipped * periods.step; periods.start(period) <= until; period += periods.step) {
    steps.take();
    const times = timesIn(rule, periods.days(period), start, interval, steps);
    for (const time of positions.length ? atPositions(times, rule) : times) if (time >= start) yield time;
  }
}

/** Adds the parts of a rule that follow from its start. */
function completeRule(rule: Rule, start: number): Rule {
  const { freq, months, weeks, yearDays, monthDays, days } = rule;
  const { month, date, weekday } = dayAt(Math.floor(start / day) * day);
  if (days.length || monthDays.length || yearDays.length) return rule;
  if (freq === 'WEEKLY' || (freq === 'YEARLY' && weeks.length)) return { ...rule, days: [{ nth: 0, weekday }] };
  if (freq === 'MONTHLY') return { ...rule, monthDays: [date] };
  return freq === 'YEARLY' ? { ...rule, months: months.length ? months : [month], monthDays: [date] } : rule;
}

/** The numbered periods of a rule: years, months, weeks, or days for shorter frequencies. */
class Periods {
  /** Distance between periods. */
  readonly step: number;

  constructor(private readonly rule: Rule) {
    this.step = rule.freq in units ? 1 : rule.interval;
  }

  of(time: number): number {
    const { freq, weekStart } = this.rule;
    const number = Math.floor(time / day);
    const { year, month } = calendarDay(time);
    return freq === 'YEARLY'
      ? year
      : freq === 'MONTHLY'
        ? year * 12 + month - 1
        : freq === 'WEEKLY'
          ? Math.floor((number + 4 - weekStart) / 7)
          : number;
  }

  start(period: number): number {
    const { freq, weekStart } = this.rule;
    if (freq === 'YEARLY') return epochOf(period, 1, 1);
    if (freq === 'MONTHLY') return epochOf(Math.floor(period / 12), modulo(period, 12) + 1, 1);
    return (freq === 'WEEKLY' ? period * 7 - 4 + weekStart : period) * day;
  }

  /** Yields the days of a period in the months of the rule. */
  *days(period: number): Generator<Day> {
    const { freq, months } = this.rule;
    if (freq === 'YEARLY') {
      for (let month = 1; month <= 12; month++) if (!months.length || months.includes(month)) yield* daysOf(period, month);
    } else if (freq === 'MONTHLY') {
      const month = modulo(period, 12) + 1;
      if (!months.length || months.includes(month)) yield* daysOf(Math.floor(period / 12), month);
    } else for (let at = this.start(period), end = at + (freq === 'WEEKLY' ? 7 : 1) * day; at < end; at += day) yield dayAt(at);
  }
}

/** Yields the times of the rule on matching days. */
function* timesIn(rule: Rule, days: Iterable<Day>, start: number, interval: number, steps: Steps): Generator<number> {
  const unit = units[rule.freq];
  for (const candidate of days) {
    steps.take();
    if (!matchesDay(rule, candidate)) continue;
    yield* unit ? timesWithin(rule, candidate.at, start, unit, interval * unit, steps) : clockTimes(rule, candidate.at, start, day, steps);
  }
}

function matchesDay({ freq, months, weeks, yearDays, monthDays, days, weekStart }: Rule, candidate: Day): boolean {
  const { date, month, year, weekday, monthLength } = candidate;
  const has = (list: number[], place: number, length: number) => !list.length || list.includes(place) || list.includes(place - length - 1);
  if (months.length && !months.includes(month)) return false;
  if (!has(monthDays, date, monthLength)) return false;
  if (!has(yearDays, yearDays.length && yearDayOf(candidate), yearDays.length && lengthOfYear(year))) return false;
  if (weeks.length && !has(weeks, ...weekOf(candidate, weekStart))) return false;
  if (!days.length) return true;
  return days.some(({ nth, weekday: ruleDay }) => {
    if (ruleDay !== weekday) return false;
    if (nth === 0 || (freq !== 'YEARLY' && freq !== 'MONTHLY')) return true;
    const [place, length] = freq === 'MONTHLY' || months.length ? [date, monthLength] : [yearDayOf(candidate), lengthOfYear(year)];
    return nth > 0 ? nth === Math.ceil(place / 7) : -nth === Math.ceil((length - place + 1) / 7);
  });
}

/** The number of a day's week and the number of weeks of its year. A week belongs to the year that contains four of its days. */
function weekOf({ at, weekday }: Day, weekStart: number): [week: number, weeks: number] {
  const middle = dayAt(at + (3 - modulo(weekday - weekStart, 7)) * day);
  const place = yearDayOf(middle);
  const week = Math.ceil(place / 7);
  return [week, week + Math.floor((lengthOfYear(middle.year) - place) / 7)];
}

/** Yields the times of a period that begins at `at`, from the hours, minutes and seconds of the rule or the start that are shorter than the period. */
function* clockTimes({ hours, minutes, seconds }: Rule, at: number, start: number, length: number, steps: Steps): Generator<number> {
  const clock = [
    { list: hours, unit: 3_600_000, limit: 24 },
    { list: minutes, unit: 60_000, limit: 60 },
    { list: seconds, unit: 1000, limit: 60 },
  ].filter(({ unit }) => unit < length);
  let times = [at];
  for (const { list, unit, limit } of clock) {
    const parts = list.length ? [...list].sort((a, b) => a - b).filter((part) => part < limit) : [modulo(Math.floor(start / unit), limit)];
    times = times.flatMap((time) => parts.map((part) => time + part * unit));
  }
  for (const time of times) {
    steps.take();
    yield time;
  }
}

/** Yields the times of a day at intervals of hours, minutes or seconds from the start. */
function* timesWithin(rule: Rule, at: number, start: number, unit: number, interval: number, steps: Steps): Generator<number> {
  const { hours, minutes, seconds } = rule;
  const origin = Math.floor(start / unit) * unit;
  const next = (time: number) => origin + Math.ceil((time - origin) / interval) * interval;
  const misses = (time: number, list: number[], size: number, limit: number) =>
    unit <= size && list.length > 0 && !list.includes(modulo(Math.floor(time / size), limit));
  for (let time = next(at); time < at + day; ) {
    steps.take();
    const missed = misses(time, hours, 3_600_000, 24) ? 3_600_000 : misses(time, minutes, 60_000, 60) ? 60_000 : 0;
    if (missed) time = next((Math.floor(time / missed) + 1) * missed);
    else {
      if (!misses(time, seconds, 1000, 60)) yield* clockTimes(rule, time, start, unit, steps);
      time += interval;
    }
  }
}

/** Yields the times at the positions (BYSETPOS) of each period. */
function* atPositions(times: Iterable<number>, { freq, positions }: Rule): Generator<number> {
  const unit = units[freq] ?? Number.POSITIVE_INFINITY;
  let group: number[] = [];
  const picked = () => group.filter((_, at) => positions.includes(at + 1) || positions.includes(at - group.length));
  for (const time of times) {
    if (group.length && Math.floor(time / unit) !== Math.floor(group[0]! / unit)) {
      yield* picked();
      group = [];
    }
    group.push(time);
  }
  yield* picked();
}
