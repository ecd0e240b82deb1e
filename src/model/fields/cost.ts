import { type Doubt, doubt } from '../mistakes/table.ts';
import { costDetails, costFrom, costTexts, emptyCost, formatCost, isEmptyCost, isSameCost, parseCost } from './cost-format.ts';
import { type FieldKind, responseText } from './field.ts';
import { typedCost } from './typed-cost.ts';

/** A cost: a number, a text, or a list of these. */
export const cost = (about: string): FieldKind => ({
  about,
  placeholder: 'cost',
  wire: {},
  accepts: {
    anyOf: [{ type: ['string', 'number', 'null'] }, { type: 'array', items: { type: ['string', 'number'] } }],
  },
  check: () => undefined,
  doubts: (value) => [value ?? []].flat().flatMap(lostIn),
  schema: (z) => z.union([z.string(), z.number(), z.array(z.union([z.string(), z.number()]))]),
  nothing: { input: [] },
  stored: {
    column: { type: 'TEXT', default: '[]' },
    value: (value, ctx) => JSON.stringify(isEmptyCost(value) && ctx.copying ? emptyCost : parseCost(value)),
    restored: costTexts,
  },
  shown: {
    value: (value, _row, _related, view) => formatCost(costTexts(value), view.currency),
    schema: { type: 'string', description: 'Formatted cost' },
    redacted: '',
  },
  cell: { to: toCell, from: (text) => listIn(text) ?? text },
  typed(text) {
    const list = listIn(text);
    return list ? { list } : typedCost(text);
  },
  control: 'cost',
  compared: {
    input: (value, { cost_details }) => costFrom(responseText(value), cost_details),
    isKept: (input, { cost, cost_details }) => isSameCost(input as string[], responseText(cost), cost_details),
  },
});

/** Matches an amount with a separator of thousands and another part, of which two amounts are read. */
const thousands = /\d[.,]\d{3}[.,]\d|^\D*\d{1,3}(?:[ \u00a0\u202f]\d{3})+(?!\d)/;

function lostIn(item: unknown): Doubt[] {
  if (typeof item !== 'string' && typeof item !== 'number') return [doubt('lost-cost', JSON.stringify(item), '')];
  if (!thousands.test(String(item))) return [];
  return [doubt('lost-cost', JSON.stringify(item), costDetails(parseCost(item)).values.join(' and '))];
}

/** Formats a cost as a cell: JSON for several texts, and for one that would be read as another. */
function toCell(value: unknown): string {
  const texts = [value ?? []].flat().map(String);
  const [text = ''] = texts;
  return texts.length > 1 || JSON.stringify(typedCost(text).list) !== JSON.stringify(text === '' ? [] : [text])
    ? JSON.stringify(texts)
    : text;
}

/** Formats a cost as it is shown as a cell: JSON for one that an import would refuse. */
export const shownCostCell = (text: string): string => (text === '' || typedCost(text).list.length ? text : JSON.stringify([text]));

/** Parses a JSON list; undefined for any other text. */
function listIn(text: string): string[] | undefined {
  if (!text.startsWith('[')) return undefined;
  try {
    const list: unknown = JSON.parse(text);
    return Array.isArray(list) ? list.map(String) : undefined;
  } catch {
    return undefined;
  }
}
