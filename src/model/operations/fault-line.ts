import { Failure } from '../error.ts';
import { isObject } from '../fields/coerce.ts';
import type { Delay, FaultAnswer, FaultFields, FaultInfo, FaultInput, HttpMethod, PatchStep, RequestMatch } from '../operation-types.ts';
import { maxDelayMs, readTime, type Time } from '../time/duration.ts';
import { type ConnectionFault, connectionFaults, faultMoments, type SiteFault, siteFaultNames } from './connection-faults.ts';
import type { FaultEffect, QueryChange } from './faults.ts';

/** The syntax of a delay, for help and messages. */
export const delayForms = '200, 1.5s, 100-300 or lognormal:200,0.5';

const invalid = (message: string) => new Failure('bad-request', message);

/** Parses a delay: milliseconds or a time with a unit, a range `100-300`, or `lognormal:200,0.5` with median and sigma. Throws `bad-request`. */
export function parseDelay(text: string): Delay {
  const plain = text.replace(/\s/g, '').toLowerCase();
  const wrong = () => invalid(`Expected milliseconds up to ${maxDelayMs}, e.g. ${delayForms}.`);
  const one = (part: string): number => {
    const value = readTime(/^[\d.]+$/.test(part) ? Number(part) : part, 'delay');
    if (value === undefined) throw wrong();
    return value;
  };
  const [, median, sigma] = /^lognormal:([^,]+),(\d+(?:\.\d+)?)$/.exec(plain) ?? [];
  if (median !== undefined) return { lognormal: { median: one(median), sigma: Number(sigma) } };
  const parts = plain.split('-');
  if (parts.length === 1) return one(plain);
  const [from, to] = parts.map(one);
  if (parts.length > 2 || from! > to!) throw wrong();
  return [from!, to!];
}

/** Parses a share of requests: `10%` or `0.1`. Throws `bad-request`. */
export function parseShare(text: string): number {
  const [, digits, percent] = /^(\d+(?:\.\d+)?|\.\d+)(%)?$/.exec(text.trim()) ?? [];
  const share = Number(digits) / (percent ? 100 : 1);
  if (digits === undefined || share > 1) throw invalid('Expected a share, e.g. 10% or 0.1.');
  return share;
}

/** The effect of a fault, and its share of the requests. */
export type FaultOutcome = Pick<FaultInfo, 'then' | 'probability'>;

/** Parses a status, a connection fault or a fault of sites with an optional share: `503`, `503:10%`, `reset:5%`, `site:notice`. Throws `bad-request`. */
export function parseOutcome(text: string): FaultOutcome {
  const [, what = '', share] = /^((?:site:)?[^:]*)(?::(.*))?$/s.exec(text.trim().toLowerCase()) ?? [];
  if (share?.includes(':')) throw invalid('Expected a status or fault, and a share, e.g. 503:10%.');
  const probability = share === undefined ? {} : { probability: parseShare(share) };
  if (/^[2-5]\d\d$/.test(what)) return { then: { status: Number(what) }, ...probability };
  if (what === 'patch') return { then: { patch: {} }, ...probability };
  if (what === 'query') return { then: { query: {} }, ...probability };
  if (what === 'preamble') return { then: { preamble: '' }, ...probability };
  const effect = ([...connectionFaults, 'hold', ...siteFaultNames] as const).find((fault) => fault === what);
  if (effect) return { then: effect, ...probability };
  throw invalid(
    `Expected a status from 200 to 599, hold, patch, preamble, query, or one of ${[...connectionFaults, ...siteFaultNames].join(', ')}, with an optional share, e.g. 503:10%.`,
  );
}

/** Parses a pattern by name: a name without a value matches any value, `!name` matches absence. Throws `bad-request`. */
export function parsePair(text: string, sign: string): [name: string, value: string | null] {
  const [name = '', ...value] = text.split(sign);
  const absent = name.startsWith('!');
  const plain = name.replace(/^!/, '').trim();
  if (plain === '' || (absent && value.length)) throw invalid(`Expected name${sign}value, name or !name.`);
  return [plain, absent ? null : value.length ? value.join(sign).trim() : '*'];
}

/** Parses a header like `Retry-After: 5`. Throws `bad-request`. */
export function parseHeader(text: string): [name: string, value: string] {
  const at = text.indexOf(':');
  if (at < 1) throw invalid("Expected a header like 'Retry-After: 5'.");
  return [text.slice(0, at).trim(), text.slice(at + 1).trim()];
}

/** The options of a fault besides its outcome. */
export interface FaultOptions {
  method?: string[];
  path?: string;
  query?: NonNullable<RequestMatch['query']>;
  header?: NonNullable<RequestMatch['headers']>;
  times?: number;
  after?: number;
  every?: number;
  probability?: number;
  rngSeed?: string;
  delay?: Delay;
  slowBody?: Delay;
  body?: string;
  responseHeader?: Record<string, string>;
  at?: FaultInput['at'];
  holdFor?: Time;
}

/** Parsed JSON for an object or a list, otherwise the text. */
function bodyOf(text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** The effect that `--body` completes: a change of the response or of the request. Throws `bad-request`. */
function completed(then: Extract<FaultOutcome['then'], object>, body: string | undefined): FaultEffect {
  if ('patch' in then) return { patch: patchOf(body) };
  if ('preamble' in then) {
    if (body) return { preamble: body };
    throw new Failure('bad-request', 'preamble requires --body with a text', `Example: calendar fault add preamble --body 'Notice: x'`);
  }
  const query = body === undefined ? undefined : bodyOf(body);
  if (isObject(query)) return { query: query as QueryChange['query'] };
  throw new Failure('bad-request', 'query requires --body with a JSON object', `Example: calendar fault add query --body '{"page": null}'`);
}

/** The JSON merge patch or the JSON Patch in a body, whose steps the server checks. Throws `bad-request`. */
function patchOf(body: string | undefined): Record<string, unknown> | PatchStep[] {
  const patch = body === undefined ? undefined : bodyOf(body);
  if (Array.isArray(patch)) return patch as PatchStep[];
  if (isObject(patch)) return patch;
  throw new Failure(
    'bad-request',
    'patch requires --body with a JSON object or a list of steps',
    `Example: calendar fault add patch --body '{"total": 0}'`,
  );
}

/** The input of a fault. Throws `bad-request` for options that exclude each other. */
export function faultInputOf(outcome: FaultOutcome, options: FaultOptions): FaultInput {
  const { method, path, query, header, times, after, every, probability, rngSeed, delay, slowBody, body, responseHeader, at, holdFor } =
    options;
  if (outcome.probability !== undefined && probability !== undefined)
    throw new Failure('bad-request', 'Use either a share or --probability, not both');
  const { then } = outcome;
  if ((body !== undefined || responseHeader) && typeof then !== 'object')
    throw new Failure('bad-request', '--body and --response-header require a status', 'Example: calendar fault add 200 --body {}');
  if (typeof then === 'object' && !('status' in then))
    return { ...faultInputOf({ ...outcome, then: undefined }, { ...options, body: undefined }), then: completed(then, body) };
  const response: FaultAnswer | undefined =
    typeof then === 'object'
      ? { ...then, ...(body === undefined ? {} : { body: bodyOf(body) }), ...(responseHeader ? { headers: responseHeader } : {}) }
      : undefined;
  const match = { method: method as HttpMethod[] | undefined, path, query, headers: header };
  const matching = Object.values(match).some((part) => part !== undefined);
  const turns = { times, after, every, probability, rng_seed: rngSeed, ...outcome };
  const fields: FaultFields = {
    ...(matching ? { match } : {}),
    ...turns,
    delay,
    slow_body: slowBody,
    at,
    ...(holdFor === undefined ? {} : { timeout: holdFor }),
    ...(response ? { then: response } : {}),
  };
  // The server rejects a fault that does nothing.
  return fields as FaultInput;
}

const parseCount = (text: string): number => {
  if (!/^\d+$/.test(text)) throw invalid(`Expected a number, not ${JSON.stringify(text)}.`);
  return Number(text);
};
const parseMoment = (text: string): FaultInput['at'] => {
  const moment = faultMoments.find((each) => each === text);
  if (!moment) throw invalid(`Expected ${faultMoments.join(' or ')}, not ${JSON.stringify(text)}.`);
  return moment;
};
const asText = (text: string) => text;

/** Reads an option of the line; `before` is its value so far. */
const options: Record<string, [name: keyof FaultOptions, parse: (text: string, before: never) => unknown]> = {
  '--method': ['method', (text) => text.split(',')],
  '--path': ['path', asText],
  '--query': ['query', (text, before: object) => ({ ...before, ...Object.fromEntries([parsePair(text, '=')]) })],
  '--header': ['header', (text, before: object) => ({ ...before, ...Object.fromEntries([parsePair(text, ':')]) })],
  '--times': ['times', parseCount],
  '--after': ['after', parseCount],
  '--every': ['every', parseCount],
  '--probability': ['probability', parseShare],
  '--rng-seed': ['rngSeed', asText],
  '--delay': ['delay', parseDelay],
  '--slow-body': ['slowBody', parseDelay],
  '--body': ['body', asText],
  '--response-header': ['responseHeader', (text, before: object) => ({ ...before, ...Object.fromEntries([parseHeader(text)]) })],
  '--at': ['at', parseMoment],
  '--hold-for': ['holdFor', (text) => text],
};
const short: Record<string, string> = { '-X': '--method', '-H': '--header' };

/** Splits a line into words, with the quotes of a shell. Throws `bad-request` for an open quote. */
function splitLine(line: string): string[] {
  const words = [...line.matchAll(/(?:[^\s'"\\]|\\.|'[^']*'|"(?:[^"\\]|\\.)*")+/gs)].map(([word]) =>
    word.replace(
      /\\(.)|'([^']*)'|"((?:[^"\\]|\\.)*)"/gs,
      (_, character, single, double) => character ?? single ?? double.replace(/\\(["\\$`])/g, '$1'),
    ),
  );
  if (/^(?:[^'"\\]|\\.|'[^']*'|"(?:[^"\\]|\\.)*")*$/s.test(line)) return words;
  throw invalid('A quotation mark is not closed.');
}

/** Parses the arguments of `calendar fault add` in one line. Throws `bad-request`. */
export function parseFaultLine(line: string): FaultInput {
  const words = splitLine(line.replace(/^\s*(calendar\s+)?(fault\s+)?(add\s+)?/, ''));
  const values: Record<string, unknown> = {};
  let outcome: FaultOutcome = {};
  while (words.length) {
    const [first = '', ...inline] = words.shift()!.split('=');
    const option = options[short[first] ?? first];
    if (!option) {
      if (first.startsWith('-')) throw invalid(`Unknown option ${first}. Known: ${Object.keys(options).join(', ')}`);
      outcome = parseOutcome([first, ...inline].join('='));
      continue;
    }
    const value = inline.length ? inline.join('=') : words.shift();
    if (value === undefined) throw invalid(`Missing value of ${first}`);
    values[option[0]] = option[1](value, values[option[0]] as never);
  }
  return faultInputOf(outcome, values);
}

const quoted = (text: string): string => (/^[\w./:*,%+-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);
const delayText = (delay: Delay): string =>
  typeof delay !== 'object'
    ? String(delay)
    : 'lognormal' in delay
      ? `lognormal:${delay.lognormal.median},${delay.lognormal.sigma}`
      : delay.join('-');
const pairTexts = (pairs: Readonly<Record<string, unknown>> = {}, sign: string): string[] =>
  Object.entries(pairs).map(([name, value]) => (value === null ? `!${name}` : value === '*' ? name : `${name}${sign}${value}`));
const effectText = (then: FaultInput['then']): string =>
  then === undefined
    ? ''
    : typeof then !== 'object'
      ? String(then satisfies ConnectionFault | 'hold' | SiteFault | number)
      : 'status' in then
        ? String(then.status)
        : Object.keys(then)[0]!;

/** Formats a fault as the arguments of `calendar fault add` that add it. */
export function formatFaultLine(fault: FaultInput | FaultInfo): string {
  const { match = {}, then, times, after, every, probability, rng_seed, delay, slow_body, at, timeout } = fault;
  const response = typeof then === 'object' && 'status' in then ? then : undefined;
  const body = response || typeof then !== 'object' ? response?.body : Object.values(then)[0];
  const parts: [option: string, values: (string | number | undefined)[]][] = [
    ['-X', match.method === undefined ? [] : [[match.method].flat().join(',')]],
    ['--path', [match.path]],
    ['--query', pairTexts(match.query, '=')],
    ['-H', pairTexts(match.headers, ': ')],
    ['--times', [times]],
    ['--after', [after]],
    ['--every', [every]],
    ['--probability', probability === undefined ? [] : [`${Number((probability * 100).toFixed(4))}%`]],
    ['--rng-seed', [rng_seed]],
    ['--delay', delay === undefined ? [] : [delayText(delay)]],
    ['--slow-body', slow_body === undefined ? [] : [delayText(slow_body)]],
    ['--body', body === undefined ? [] : [typeof body === 'string' ? body : JSON.stringify(body)]],
    ['--response-header', Object.entries(response?.headers ?? {}).map(([name, value]) => `${name}: ${value}`)],
    ['--at', [at]],
    ['--hold-for', [timeout]],
  ];
  const words = parts.flatMap(([option, values]) =>
    values.flatMap((value) => (value === undefined ? [] : [`${option} ${quoted(String(value))}`])),
  );
  return [effectText(then), ...words].filter(Boolean).join(' ');
}
