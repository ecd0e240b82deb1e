import { InvalidArgumentError } from 'commander';
import { didYouMean } from '../../model/did-you-mean.ts';
import { connectionFaults } from '../../model/operations/connection-faults.ts';
import { type Delay, type FaultInput, maxDelayMs } from '../../model/operations/faults.ts';

/** The syntax of a delay, for help and messages. */
export const delayForms = '200, 100-300 or lognormal:200,0.5';

/** Parses a delay: `200` or `200ms`, `0.2s`, a range `100-300`, or `lognormal:200,0.5` with median and sigma. */
export function parseDelay(text: string): Delay {
  const plain = text.replace(/\s/g, '').toLowerCase();
  const wrong = () => new InvalidArgumentError(`Expected milliseconds up to ${maxDelayMs}, e.g. ${delayForms}.`);
  const one = (part: string): number => {
    const [, digits, unit] = /^(\d+(?:\.\d+)?)(ms|s)?$/.exec(part) ?? [];
    const value = Number(digits) * (unit === 's' ? 1000 : 1);
    if (digits === undefined || value > maxDelayMs) throw wrong();
    return value;
  };
  const [, median, sigma] = /^lognormal:([^,]+),(\d+(?:\.\d+)?)$/.exec(plain) ?? [];
  if (median !== undefined) return { lognormal: { median: one(median), sigma: Number(sigma) } };
  const parts = plain.split('-');
  if (parts.length === 1) return one(plain);
  const [from, to] = parts.map(one);
  if (parts.length > 2 || from! > to!) throw wrong();
  return { uniform: [from!, to!] };
}

/** Parses a share of requests: `10%` or `0.1`. */
export function parseShare(text: string): number {
  const [, digits, percent] = /^(\d+(?:\.\d+)?|\.\d+)(%)?$/.exec(text.trim()) ?? [];
  const share = Number(digits) / (percent ? 100 : 1);
  if (digits === undefined || share > 1) throw new InvalidArgumentError('Expected a share, e.g. 10% or 0.1.');
  return share;
}

/** Parses a status or connection fault with an optional share: `503`, `503:10%`, `reset:5%`. */
export function parseFault(text: string): Pick<FaultInput, 'then' | 'probability'> {
  const [what = '', share, ...rest] = text.trim().toLowerCase().split(':');
  if (rest.length) throw new InvalidArgumentError('Expected a status or fault, and a share, e.g. 503:10%.');
  const probability = share === undefined ? {} : { probability: parseShare(share) };
  if (/^[2-5]\d\d$/.test(what)) return { then: { status: Number(what) }, ...probability };
  const named = connectionFaults.find((fault) => fault === what);
  if (named) return { then: named, ...probability };
  throw new InvalidArgumentError(
    didYouMean(what, connectionFaults) ??
      `Expected a status from 200 to 599, or one of ${connectionFaults.join(', ')}, with an optional share, e.g. 503:10%.`,
  );
}
