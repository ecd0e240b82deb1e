import { costFrom, costTexts, formatCost, parseCost } from './cost-format.ts';
import { type FieldKind, responseText } from './field.ts';

/** A cost: a number, a text, or a list of these. */
export const cost = (about: string): FieldKind => ({
  about,
  placeholder: 'cost',
  schema: (z) => z.union([z.string(), z.number(), z.array(z.union([z.string(), z.number()]))]),
  wire: {},
  accepts: {
    anyOf: [{ type: ['string', 'number', 'null'] }, { type: 'array', items: { type: ['string', 'number'] } }],
  },
  check: () => undefined,
  column: { type: 'TEXT', default: '[]' },
  stored: (value) => JSON.stringify(parseCost(value)),
  restored: costTexts,
  empty: [],
  show: (value) => formatCost(costTexts(value)),
  response: { type: 'string', description: 'Formatted cost' },
  redacted: '',
  toCell: (value) => (Array.isArray(value) && value.length !== 1 ? JSON.stringify(value) : String(value ?? '')),
  fromCell: (text) => {
    try {
      return text.startsWith('[') ? JSON.parse(text) : text;
    } catch {
      return text;
    }
  },
  rewriteCell: (text) => (text.startsWith('[') ? text : plainAmounts(text)),
  fromResponse: (value, { cost_details }) => costFrom(responseText(value), cost_details),
});

const grouped =
  /(?<![\d.,])(\d{1,3}(?:\.\d{3})+|\d{1,3}(?:[\s'\u2019]\d{3})+(?!\.))(?:,(\d{1,2}))?(?![\d.,]*\d)|(?<![\d.,])(\d{1,3}(?:[,'\u2019]\d{3})+)\.(\d{1,2})(?!\d)/g;

/** Rewrites amounts with separators of thousands: `1.234,50 €` and `1,234.50 €` as `1234.50 €`. */
const plainAmounts = (text: string): string =>
  text
    .replace(grouped, (_, whole, cents, english, englishCents) => {
      const decimals: string | undefined = cents ?? englishCents;
      return String(whole ?? english).replace(/\D/g, '') + (decimals === undefined ? '' : `.${decimals}`);
    })
    .replace(/(\d),[-\u2013\u2014]+/g, '$1');
