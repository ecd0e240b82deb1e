import { InvalidArgumentError } from 'commander';
import { didYouMean } from '../../model/did-you-mean.ts';
import { connectionFaults } from '../../model/operations/connection-faults.ts';
import { type Delay, type FaultInput, maxDelayMs } from '../../model/operations/faults.ts';

/** How a delay is written, for help and messages. */
export const delayForms = '200, 100-300 or lognormal:200,0.5';

/** A delay: `200` or `200ms`, `0.2s`, one from `100-300`, or `lognormal:200,0.5` for a median with a long tail. */
export function delayOf(text: string): Delay {
  const plain = text.replace(/\s/g, '').toLowerCase();
  const wrong = () => new InvalidArgumentError(`It takes milliseconds up to ${maxDelayMs}, like ${delayForms}.`);
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

/** A share of requests: `10%` or `0.1`. */
export function shareOf(text: string): number {
  const [, digits, percent] = /^(\d+(?:\.\d+)?|\.\d+)(%)?$/.exec(text.trim()) ?? [];
  const share = Number(digits) / (percent ? 100 : 1);
  if (digits === undefined || share > 1) throw new InvalidArgumentError('It takes a share like 10% or 0.1.');
  return share;
}

/** What a client gets, and how often: `503`, `503:10%`, `reset:5%`. */
export function failureIn(text: string): Pick<FaultInput, 'then' | 'probability'> {
  const [what = '', share, ...rest] = text.trim().toLowerCase().split(':');
  if (rest.length) throw new InvalidArgumentError('It takes a status or the name of a fault, and a share: like 503:10%.');
  const probability = share === undefined ? {} : { probability: shareOf(share) };
  if (/^[2-5]\d\d$/.test(what)) return { then: { status: Number(what) }, ...probability };
  const named = connectionFaults.find((fault) => fault === what);
  if (named) return { then: named, ...probability };
  throw new InvalidArgumentError(
    didYouMean(what, connectionFaults) ??
      `It takes a status from 200 to 599, or one of ${connectionFaults.join(', ')}; with a share like 503:10%.`,
  );
}
