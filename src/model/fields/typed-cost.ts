import { quoted } from './coerce.ts';
import { type CurrencySettings, defaultCurrency, formatCost } from './cost-format.ts';
import type { TypedValues } from './field.ts';

/** A number with separators of thousands or decimals, and the dash that stands for no cents: `1.049,50`, `1,234.50`, `1 234`, `20.–`. */
const amount =
  /(?<![\p{L}\d.,])(?:[1-9]\d{0,2}(?:[.\s'\u2019]\d{3})+(?:,\d{1,2})?|[1-9]\d{0,2}(?:[,'\u2019]\d{3})+(?:\.\d{1,2})?|\d+(?:[.,]\d+)?)(?![\d.,]*\d)(?:[.,][-\u2013\u2014]{1,2}(?!\s*\d))?/gu;

/** A currency as a sign, with a country's letters before it, or in letters. Codes are those of ISO 4217. */
const sign = /^(?:\p{Lu}{0,3}\p{Sc}|\p{Lu}{3}|kr\.?|z\u0142|K\u010d|Ft|lei|Fr\.?|euros?|dollars?|pounds?)$/iu;
const codes: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'));
const isSign = (text: string): boolean => sign.test(text) && (!/^\p{L}{3}$/u.test(text) || codes.has(text) || text === 'lei');

/** A word or sign between two prices. */
const separator = /^(?:[-\u2013\u2014/,;&]|to|or|and|bis|oder|und|\u00e0|a|ou|et|hasta|o|y)$/iu;
const free = /(?<![\p{L}\d])(?:free|gratis|frei|kostenlos|gratuit|gratuito)(?![\p{L}\d])/iu;

/** Longer texts are not read for prices, which takes the square of their length. */
const maxPriceLength = 500;

interface Price {
  value: string;
  /** The currency, before or after the number. */
  before: string;
  after: string;
  /** The space between the number and its currency. */
  gap: string;
}

/** Converts an amount to digits with a decimal point. */
function plainAmount(text: string): string {
  const digits = text.replace(/[.,][-\u2013\u2014]+$/, '');
  const [, whole, cents] = /^(.*?)(?:[.,](\d{1,2}))?$/.exec(digits)!;
  const isGrouped = /^\d{1,3}(?:[.,\s'\u2019]\d{3})+$/.test(whole!);
  if (isGrouped) return `${whole!.replace(/\D/g, '')}${cents === undefined ? '' : `.${cents}`}`;
  return digits.replace(',', '.');
}

/** Splits the text between two amounts at its separator: the sign after the first and the one before the second. Undefined for other words. */
function between(text: string): [after: string, before: string] | undefined {
  const parts = text.split(/\s+|(?<=[-\u2013\u2014/,;&])|(?=[-\u2013\u2014/,;&])/u).filter((part) => part !== '');
  const at = parts.findIndex((part) => separator.test(part));
  if (at < 0) return undefined;
  const [after, before] = [parts.slice(0, at).join(' '), parts.slice(at + 1).join(' ')];
  return [after, before].every((part) => part === '' || isSign(part)) ? [after, before] : undefined;
}

/** Reads the prices of a text with several; undefined if words other than currencies stand between or around them. */
function pricesIn(text: string, amounts: readonly RegExpExecArray[]): Price[] | undefined {
  const pieces = amounts.map(({ index }, i) => text.slice(i === 0 ? 0 : endOf(amounts[i - 1]!), index));
  const first = pieces[0]!.trim();
  const last = text.slice(endOf(amounts.at(-1)!)).trim();
  const inner = pieces.slice(1).map(between);
  if (![first, last].every((part) => part === '' || isSign(part)) || inner.includes(undefined)) return undefined;
  const prices = amounts.map((match, i) =>
    priceOf(text, match, i === 0 ? first : inner[i - 1]![1], i === amounts.length - 1 ? last : inner[i]![0]),
  );
  return prices.some(({ before, after }) => before && after) ? undefined : prices;
}

const endOf = (match: RegExpExecArray): number => match.index + match[0].length;

function priceOf(text: string, match: RegExpExecArray, before: string, after: string): Price {
  const beside = before ? text[match.index - 1] : text[endOf(match)];
  return { value: plainAmount(match[0]), before, after, gap: /\s/.test(beside ?? '') ? ' ' : '' };
}

/**
 * Formats prices with one currency, all like the first. A sign that only some of them have precedes each, unless it is right behind a number, as the
 * API shows it (`Free – 10€`). Words stay where they were.
 */
function withSign(prices: readonly Price[]): string[] {
  const first = prices.find(({ before, after }) => before || after);
  if (!first) return prices.map(({ value }) => value);
  const isShared = prices.some(({ before, after }) => !before && !after);
  const isMoved = isShared && first.gap !== '' && /\p{Sc}/u.test(first.after);
  const { before, after, gap } = isMoved ? { before: first.after, after: '', gap: '' } : first;
  return prices.map(({ value }) => `${before}${before && gap}${value}${after && gap}${after}`);
}

/** The prices of a text with words, each with the currency next to it. */
const pricesWithWords = (text: string, amounts: readonly RegExpExecArray[]): Price[] =>
  amounts.map((match) => {
    const before = /(\S+)\s*$/.exec(text.slice(0, match.index))?.[1] ?? '';
    const after = /^\s*([^\s\d,;/]+)/.exec(text.slice(endOf(match)))?.[1] ?? '';
    return priceOf(text, match, isSign(before) ? before : '', isSign(before) || !isSign(after) ? '' : after);
  });

/** The prices without the words. Beside prices with a currency, numbers without one are none, except for zero. */
function withoutWords(prices: readonly Price[], refused: () => TypedValues): TypedValues {
  const marked = prices.filter(({ before, after }) => before || after);
  const list = marked.length ? prices.filter((price) => marked.includes(price) || Number(price.value) === 0) : prices;
  if (currenciesOf(list).size > 1) return refused();
  return { list: withSign(list), reason: 'names several prices with words, which the API does not keep' };
}

const currenciesOf = (prices: readonly Price[]): ReadonlySet<string> =>
  new Set(prices.map(({ before, after }) => before || after).filter((each) => each !== ''));

/**
 * Reads a cost as people type it: `€8 – €12`, `12,50 € / 15 €`, `CHF 20.–`, `Free – €10`, `Donation`. The API also finds prices within one text such as
 * `€8 – €12`, and then loses their currency (`random.cost.14`), so several prices become several texts. Decimals of several prices get a point, and thousands no separator.
 */
export function typedCost(typed: string): TypedValues {
  const text = typed.trim();
  if (text === '') return { list: [] };
  const display = formatCost([text]);
  const refused = (): TypedValues => (display === text ? { list: [text] } : { list: [], reason: `would be shown as ${quoted(display)}` });
  if (text.length > maxPriceLength) return refused();
  const amounts = [...text.matchAll(amount)];
  if (/\d/.test(text.replace(amount, ''))) return refused();
  if (amounts.length === 0) return { list: [text] };
  const whole = text.replace(free, '0');
  if (whole !== text || amounts.length > 1) return severalPrices(text, whole, refused);
  const [match] = amounts as [RegExpExecArray];
  const [before, after] = [text.slice(0, match.index).trim(), text.slice(endOf(match)).trim()];
  if (/[-\u2212]$/.test(before))
    return { list: [], reason: display === text ? 'is negative, which the API does not keep' : refused().reason! };
  if (before !== '' && after !== '' && !isSign(after)) return refused();
  // The API keeps the mark of one price; of several, it reads those with a point only.
  return { list: [/^\d+,\d{1,2}$/.test(match[0]) ? text : text.replace(match[0], plainAmount(match[0]))] };
}

/** A note on a typed cost that is stored or shown differently: what is stored and what will be shown. Undefined if it is shown as it was typed. */
export function changedCost(
  typed: string,
  stored: readonly string[],
  { reason }: Pick<TypedValues, 'reason'>,
  currency: CurrencySettings = defaultCurrency,
): string | undefined {
  const display = formatCost(stored, currency);
  const isShown = reason?.startsWith('would be shown') ?? true;
  if (display === typed.trim() || (isShown && stored.length === 1 && stored[0] === typed && reason === undefined)) return undefined;
  return `${quoted(typed)} ${isShown ? 'is' : `${reason};`} stored as ${stored.map((text) => quoted(text)).join(' and ')}, shown as ${quoted(display)}`;
}

function severalPrices(typed: string, text: string, refused: () => TypedValues): TypedValues {
  const amounts = [...text.matchAll(amount)];
  const prices = pricesIn(text, amounts);
  if (!prices) return withoutWords(pricesWithWords(text, amounts), refused);
  if (currenciesOf(prices).size > 1) return refused();
  const list = withSign(prices);
  const formatted = formatCost([typed]);
  return formatted === formatCost(list) ? { list } : { list, otherwise: `is shown as ${quoted(formatted)}` };
}
