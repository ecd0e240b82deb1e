import type { JournaledRequest, WorldInfo } from '../../../model/operation-types.ts';
import { isFailed, outcomeText } from '../../../model/operations/request-outcome.ts';

/** A request, with its world unless it is that of the page. */
export type ListedRequest = JournaledRequest & { world?: Pick<WorldInfo, 'id' | 'name'> };

type Test = (request: ListedRequest) => boolean;

/** Path and query of a request. */
export const requestTarget = ({ path, query }: Pick<JournaledRequest, 'path' | 'query'>): string => (query ? `${path}?${query}` : path);

/** The names of a filter expression. */
const members: Record<string, (request: ListedRequest) => string | number> = {
  status: (request) => request.status ?? outcomeText(request),
  method: ({ method }) => method,
  path: ({ path }) => path,
  query: ({ query }) => query,
  user: ({ user }) => user ?? '',
  took: ({ took }) => took ?? Number.NaN,
  id: ({ id }) => id,
  world: ({ world }) => world?.id ?? 'server',
  reason: ({ reason }) => reason ?? '',
  client: ({ client }) => client ?? '',
  failed: (request) => (isFailed(request) ? 'yes' : 'no'),
};
export const filterNames = Object.keys(members);

const escaped = (text: string) => text.replace(/[.+?^$()|[\]{}\\]/g, '\\$&');

/** Returns whether a value contains a text, or matches it as a whole if it has a `*`, or is in a class of statuses such as `4xx`. */
function isLike(value: string, pattern: string): boolean {
  if (/^[1-5]xx$/.test(pattern)) return value[0] === pattern[0];
  if (!pattern.includes('*')) return value.includes(pattern);
  return new RegExp(`${escaped(pattern).replaceAll('*', '.*')}$`).test(value);
}

const comparisons: Record<string, (value: string | number, expected: string) => boolean> = {
  ':': (value, operand) => operand.split(',').some((each) => isLike(String(value).toLowerCase(), each)),
  '=': (value, operand) => operand.split(',').some((each) => String(value).toLowerCase() === each),
  '>=': (value, operand) => Number(value) >= Number(operand),
  '<=': (value, operand) => Number(value) <= Number(operand),
  '>': (value, operand) => Number(value) > Number(operand),
  '<': (value, operand) => Number(value) < Number(operand),
};

function parseTerm(term: string): Test | string {
  const [, name = '', sign = '', operand = ''] = /^(\w+)(>=|<=|[:=<>])(.*)$/.exec(term) ?? [];
  if (!name)
    return (request) =>
      `${request.method} ${requestTarget(request)} ${outcomeText(request)} ${request.user ?? ''}`.toLowerCase().includes(term);
  const read = members[name];
  if (!read) return `Unknown name “${name}”. Use ${filterNames.join(', ')}.`;
  if (!operand) return `Missing value after “${name}${sign}”.`;
  if (/[<>]/.test(sign) && !/^\d+(\.\d+)?$/.test(operand)) return `“${name}${sign}” requires a number.`;
  return (request) => comparisons[sign]!(read(request), operand);
}

const worldTerm = /(?:^|\s)world=(\S+)/;

/** The world to which an expression is narrowed: its ID, or `server`. */
export const worldIn = (text: string): string | undefined => worldTerm.exec(text)?.[1];

/** An expression that is narrowed to a world; to none if it is empty. */
export const withWorld = (text: string, id: string): string =>
  [text.replace(worldTerm, '').trim(), id && `world=${id}`].filter(Boolean).join(' ');

/** Parses an expression such as `status>=400 method:POST path:/events -user:ana jazz`: all terms must match. Returns why it is invalid. */
export function parseFilter(text: string): { test: Test; problem?: string } {
  const tests: Test[] = [];
  for (const [, minus, quoted, word] of text.toLowerCase().matchAll(/(-?)(?:"([^"]*)"?|(\S+))/g)) {
    const test =
      quoted === undefined ? parseTerm(word!) : (request: ListedRequest) => requestTarget(request).toLowerCase().includes(quoted);
    if (typeof test === 'string') return { test: () => true, problem: test };
    tests.push(minus ? (request) => !test(request) : test);
  }
  return { test: (request) => tests.every((test) => test(request)) };
}
