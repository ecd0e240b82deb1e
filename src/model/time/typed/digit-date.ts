/** The order of day, month and year in dates like `05/06/2027`. */
export const dateOrders = ['dmy', 'mdy', 'ymd'] as const;
/** The order of day, month and year in a date. */
export type DateOrder = (typeof dateOrders)[number];

/** The maximum length of a date, as in `readDate`. */
export const maxDateLength = 200;

/** A date of digits in a text. */
interface DigitDate {
  /** Its ISO forms by order, without an impossible order: `2027-06-07`, or `--06-07` without a year. */
  readings: Partial<Record<DateOrder, string>>;
  /** True if its form has a fixed meaning in every table. */
  isFixed: boolean;
  /** True if it may also be a time of day, as `5.12` may. */
  isTime: boolean;
  index: number;
  length: number;
}

const three = /(?<![\d.:/+-])(\d{1,4})\s*([./-])(\s*)(\d{1,2})\s*\2(\s*)(\d{1,4})\.?(?=$|[\s,]|T\d)/g;
const two = /(?<![\d.:/+-])(\d{1,2})(?:\.\s?(\d{1,2})(\.?)|\/(\d{1,2}))(?=$|[\s,])/;
const units = '(?:h|u|uhr|uur|heures?|horas?|ore|hrs?|[ap]\\.?m)';
/** The text after an hour. */
const afterHour = new RegExp(`^\\s*(?::\\d|[hu]\\d|${units}\\b)`, 'i');
const afterTime = new RegExp(`^\\s*${units}\\b`, 'i');

function isoDay(year: string | undefined, month: string, day: string): string | undefined {
  if (year?.length === 1 || year?.length === 3 || month.length > 2 || day.length > 2) return undefined;
  if (Number(month) < 1 || Number(month) > 12 || Number(day) < 1 || Number(day) > 31) return undefined;
  const full = year === undefined ? '-' : year.length === 4 ? year : `${Number(year) < 70 ? 20 : 19}${year}`;
  return `${full}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
}

const readingsOf = (candidates: readonly [DateOrder, string | undefined][]): DigitDate['readings'] =>
  Object.fromEntries(candidates.filter(([, date]) => date !== undefined));

/** Finds a date of three numbers. Dots mean day first, four leading digits year first. */
function threeNumbers(text: string): DigitDate | undefined {
  for (const match of text.matchAll(three)) {
    const [whole, first = '', sign, firstGap, middle = '', lastGap, last = ''] = match;
    const { index } = match;
    // In `24.12. 20 Uhr`, the last number is an hour.
    if (sign === '.' && lastGap && last.length < 3 && (!firstGap || afterHour.test(text.slice(index + whole.length)))) continue;
    const isYearFirst = first.length > 2;
    const candidates: [DateOrder, string | undefined][] = isYearFirst
      ? [['ymd', isoDay(first, middle, last)]]
      : sign === '.'
        ? [['dmy', isoDay(last, middle, first)]]
        : [
            ['dmy', isoDay(last, middle, first)],
            ['mdy', isoDay(last, first, middle)],
            // 27-06-07 is a short form of ISO 8601.
            ['ymd', sign === '-' && last.length < 3 ? isoDay(first, middle, last) : undefined],
          ];
    return { readings: readingsOf(candidates), isFixed: isYearFirst || sign === '.', isTime: false, index, length: whole.length };
  }
  return undefined;
}

/** Finds a date of two numbers, without a year. Two numbers with a dot only between them may be a time. */
function twoNumbers(text: string): DigitDate | undefined {
  const match = two.exec(text);
  if (!match) return undefined;
  const [{ length }, first = '', dotted, dot, slashed] = match;
  const { index } = match;
  if (dotted === undefined) {
    const readings = readingsOf([
      ['dmy', isoDay(undefined, slashed!, first)],
      ['mdy', isoDay(undefined, first, slashed!)],
    ]);
    return { readings, isFixed: false, isTime: false, index, length };
  }
  if (!dot && afterTime.test(text.slice(index + length))) return undefined;
  const isTime = !dot && dotted.length === 2 && Number(first) < 24 && Number(dotted) < 60;
  return { readings: readingsOf([['dmy', isoDay(undefined, dotted, first)]]), isFixed: true, isTime, index, length };
}

/** Finds a date of digits; undefined without a possible one. */
export function digitDateIn(text: string): DigitDate | undefined {
  return [threeNumbers(text), twoNumbers(text)].find((date) => date !== undefined && Object.keys(date.readings).length > 0);
}

/** The date in an order: undefined if it depends on the order and none is given, or if it contradicts the order. */
export function readingIn({ readings, isFixed }: DigitDate, order: DateOrder | undefined): string | undefined {
  const dates = [...new Set(Object.values(readings))];
  return dates.length === 1 && (isFixed || order === undefined || Object.keys(readings).length > 1) ? dates[0] : order && readings[order];
}

/** The possible orders of a cell; undefined if the cell doesn't depend on the order, because all its readings are equal, the year is first, or it may be a time. */
function ordersOf(cell: string, hasYear: boolean): readonly DateOrder[] | undefined {
  if (cell.length > maxDateLength) return undefined;
  const date = (hasYear ? digitDateIn : threeNumbers)(cell.trim());
  if (!date || date.isTime || (date.isFixed && 'ymd' in date.readings)) return undefined;
  const orders = Object.keys(date.readings) as DateOrder[];
  const isEqual = orders.length > 1 && new Set(Object.values(date.readings)).size === 1;
  return isEqual || !orders.length ? undefined : orders;
}

/** Collects the dates of a table to find their order. */
export class DateOrderEvidence {
  /** The first cell that excludes each order. */
  readonly #against: Partial<Record<DateOrder, Evidence>> = {};
  /** The first cells whose meaning depends on the order. */
  readonly ambiguous: Evidence[] = [];

  /** `hasYear` is true if dates without a year count. */
  constructor(private readonly hasYear: boolean) {}

  add(cell: string, line: number): void {
    const orders = ordersOf(cell, this.hasYear);
    if (!orders) return;
    for (const order of dateOrders) if (!orders.includes(order)) this.#against[order] ??= { cell, line };
    if (orders.length > 1 && this.ambiguous.length < 3 && !this.ambiguous.some((each) => each.cell === cell))
      this.ambiguous.push({ cell, line });
  }

  get possible(): readonly DateOrder[] {
    return dateOrders.filter((order) => !this.#against[order]);
  }

  /** The first two cells that contradict each other, if no order is possible. */
  get contradiction(): readonly Evidence[] {
    return [this.#against.dmy, this.#against.mdy].filter((each) => each !== undefined);
  }
}

/** A cell and its line. */
export interface Evidence {
  cell: string;
  line: number;
}
