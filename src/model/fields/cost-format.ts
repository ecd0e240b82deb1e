import { decodeEntities } from '../html/plain-text.ts';
import { cleanText, escapeHtml } from '../html/sanitize.ts';
import { slugOf } from './slug.ts';

/** Currency of amounts without a symbol. */
export interface CurrencySettings {
  symbol: string;
  code: string;
  position: (typeof currencyPositions)[number];
}

export const currencyPositions = ['prefix', 'postfix'] as const;

/** `cost_details` in responses. */
interface CostDetails {
  currency_symbol: string;
  currency_code: string;
  currency_position: string;
  values: string[];
}

interface Amount {
  /** As entered, with symbols: `1,234`, `.5`, `Donation`. */
  typed: string;
  /** The number with a decimal point, or a slug of the text. */
  value: string;
  /** Sort key; 0 for text. */
  size: number;
}

export const defaultCurrency: CurrencySettings = { symbol: '$', code: '', position: 'prefix' };

const amountPattern = /[.,]?\d+[.,]?\d*/g;

/** The texts to store for a cost, given as a number, a text or a list (`events.create.cost.array`). */
export function parseCost(input: unknown): string[] {
  const list = Array.isArray(input) ? input : [input];
  return list
    .filter((item) => typeof item === 'string' || typeof item === 'number')
    .map((item) => cleanText(String(item)))
    .filter((text) => text !== '');
}

/** The texts of an event that was made in a form, and has no price there. */
export const emptyCost: readonly string[] = [''];
/** True for a cost that a form was left empty for, as it is sent or stored. */
export const isEmptyCost = (cost: unknown): boolean => cost === '' || (Array.isArray(cost) && cost.length === 1 && cost[0] === '');

/** The currency and the amounts of stored texts: that of the calendar for an event that was made in a form without a price. The code is the calendar's, and only set for events with a symbol (`events.create.cost.euro-suffix`). */
export function costDetails(raws: readonly string[], currency = defaultCurrency): CostDetails {
  if (isEmptyCost(raws))
    return {
      currency_symbol: currency.symbol,
      currency_code: currency.code,
      // Forms of a site store another word than its API.
      currency_position: currency.position === 'postfix' ? 'suffix' : currency.position,
      values: [],
    };
  const symbol = symbolOf(raws);
  return {
    currency_symbol: symbol,
    currency_code: symbol ? currency.code : '',
    currency_position: symbol ? positionOf(raws, symbol) : '',
    values: amounts(raws).map((amount) => amount.value),
  };
}

/** Formats a cost for responses, HTML-escaped: `$10`, `Free – 30$`, `Donation`; empty for none (`events.create.cost.*`). */
export function formatCost(raws: readonly string[], currency = defaultCurrency): string {
  const all = amounts(raws);
  if (all.length === 0) return '';
  const symbol = symbolOf(raws);
  const [before, after] =
    (symbol ? positionOf(raws, symbol) : currency.position) === 'postfix'
      ? ['', symbol || currency.symbol]
      : [symbol || currency.symbol, ''];
  const show = (typed: string) => {
    const plain = typed.replaceAll(',', '.');
    if (!isNumber(plain)) return escapeHtml(typed);
    return Math.abs(Number(plain)) < 0.005 ? 'Free' : escapeHtml(before + typed + after);
  };
  if (all.length === 1) return show(all[0]!.typed);
  // Only plain numbers form a range; text and amounts with a comma are left out (`events.create.cost.range-*`).
  const numbers = all.filter((amount) => isNumber(amount.typed));
  const lowest = show(numbers[0]?.typed ?? '0');
  const highest = show(numbers.at(-1)?.typed ?? '0');
  return lowest === highest ? lowest : `${lowest} – ${highest}`;
}

function amounts(raws: readonly string[]): Amount[] {
  const distinct = new Map<string | number, Amount>();
  for (const typed of raws.flatMap((raw) => raw.match(amountPattern) ?? [raw])) {
    const value = plainValue(typed);
    const size = isNumber(value) ? Number(value) : 0;
    distinct.set(isNumber(value) ? size : value, { typed, value, size });
  }
  return [...distinct.values()].filter((amount) => amount.value !== '').sort((a, b) => a.size - b.size);
}

function plainValue(typed: string): string {
  if (!/\d/.test(typed)) return slugOf(typed);
  const plain = typed.replace(/,(?=\d{3}$)/, '').replaceAll(',', '.');
  return isNumber(plain) ? plain : slugOf(plain);
}

function isNumber(text: string): boolean {
  return /^(?:\d+(?:\.\d*)?|\.\d+)$/.test(text);
}

/** The text around the number if it is the same in all texts with a single number each, else ''. */
function symbolOf(raws: readonly string[]): string {
  const priced = raws.filter((raw) => /\d/.test(raw));
  const symbols = new Set(priced.map((raw) => (raw.match(amountPattern)?.length === 1 ? surroundings(raw) : '')));
  return symbols.size === 1 ? [...symbols][0]! : '';
}

function surroundings(raw: string): string {
  return raw.replace(amountPattern, '').trim();
}

/** 'prefix' or 'postfix', or '' if the number is between other text. */
function positionOf(raws: readonly string[], symbol: string): string {
  if (raws.some((raw) => raw.startsWith(symbol))) return 'prefix';
  return raws.some((raw) => raw.endsWith(symbol)) ? 'postfix' : '';
}

/** Parses the cost column. */
export const costTexts = (stored: unknown): string[] => (stored === '[]' ? [] : JSON.parse(String(stored)));

/** Cost texts of which a site makes a given cost, with the same details. */
export function costFrom(text: string, details: unknown): string[] {
  if (text === '') return [];
  const { currency_symbol: symbol = '', currency_position: position = '', values: amounts } = (details ?? {}) as Partial<CostDetails>;
  const values = Array.isArray(amounts) ? amounts : [];
  // Forms of the reference store another word than its API.
  const isBehind = position === 'postfix' || position === 'suffix';
  const signed = values.map((value) => (isBehind ? `${value}${symbol}` : `${symbol}${value}`));
  const plain = [decodeEntities(text)];
  const candidates = [signed, signed.map((value) => value.replace('.', ',')), plain];
  return candidates.find((raws) => isSameCost(raws, text, details)) ?? (values.length > 1 ? signed : plain);
}

/** True if a site makes a given cost of some texts, with the same details. Of none, it makes none without details. */
export function isSameCost(raws: readonly string[], text: string, details: unknown): boolean {
  if (!raws.length) return text === '';
  const { currency_symbol: symbol = '', values = [] } = (details ?? {}) as Partial<CostDetails>;
  const own = costDetails(raws);
  if (own.currency_symbol !== symbol || String(own.values) !== String(values)) return false;
  // Without a sign in the details, the text has that of the site's currency.
  return formatCost(raws, symbol === '' ? currencyIn(text) : undefined) === text;
}

/** The currency whose sign a text shows before or after its last amount. */
function currencyIn(text: string): CurrencySettings {
  const amount = decodeEntities(text).split(' – ').at(-1)!;
  const [, before = '', after = ''] = /^(\D*)\d(?:.*\d)?(\D*)$/.exec(amount) ?? [];
  return { ...defaultCurrency, symbol: before || after, position: before ? 'prefix' : 'postfix' };
}
