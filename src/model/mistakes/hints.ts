import type { Hint, HintedRequest } from '../operation-types.ts';
import { namedSchema } from '../operations/operation.ts';
import { count } from '../operations/summary.ts';
import { type MistakeName, mistakes } from './table.ts';

export const hint = namedSchema('Hint', 'A mistake of a client, with the first request that has it', (z) =>
  z
    .object({
      rule: z.enum(Object.keys(mistakes) as [MistakeName]).describe('Name of the rule'),
      kind: z.enum(['form', 'conduct']).describe('`form` depends on the request, `conduct` on the calendar or on other requests'),
      text: z.string().describe('What happened, and what to do'),
      count: count(z).describe('Number of requests with this mistake'),
      first: z
        .object({
          id: z.int().min(1).describe('Sequence number in the request log'),
          time: z.iso.datetime().describe("Arrival time by the system's clock, in UTC"),
          method: z.string().describe('HTTP method, like GET'),
          path: z.string().describe('Path, without the query'),
          query: z.string().describe('Query, without the question mark'),
          world: z.string().optional().describe('Name of the world that received it, if it has one'),
        })
        .meta({ typeName: 'HintedRequest', typeText: 'A request in which a mistake was found first' })
        .describe('The first of these requests'),
    })
    .meta({ id: 'Hint' }),
);

/** Maximum number of different mistakes that are kept. */
const maxHints = 1000;

/** The key of a mistake: the rule, and of those of form the text. */
export const hintKey = ({ rule, kind, text }: Hint): string => (kind === 'form' ? `${rule} ${text}` : rule);

/** Combines mistakes: those of conduct by rule, those of form by rule and text. */
export function combinedHints(hints: Iterable<Hint>): Hint[] {
  const byKey = new Map<string, Hint>();
  for (const each of hints) {
    const key = hintKey(each);
    const same = byKey.get(key);
    if (same) byKey.set(key, { ...same, count: same.count + each.count });
    else if (byKey.size < maxHints) byKey.set(key, each);
  }
  return [...byKey.values()];
}

/** First line of a report of mistakes. */
export const hintTitle = 'calendar: Requests that a site would handle differently:';

/** One line for each mistake, for people. `placeOf` names where the first one is, such as a test. */
export const hintLines = (hints: readonly Hint[], placeOf = ({ world }: HintedRequest): string | undefined => world): string[] =>
  hints.map(({ rule, text, count, first }) => {
    const { method, path, query } = first;
    const place = placeOf(first);
    const where = `${method} ${path}${query && `?${query}`}${place === undefined ? '' : ` in "${place}"`}`;
    return `${rule}: ${text} (${count === 1 ? where : `${count} requests, first ${where}`})`;
  });
