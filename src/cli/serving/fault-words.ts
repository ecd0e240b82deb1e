import { InvalidArgumentError } from 'commander';
import { didYouMean } from '../../model/did-you-mean.ts';
import { connectionFaults } from '../../model/operations/connection-faults.ts';
import { parseDelay as delayIn, type FaultOutcome, parseOutcome, parseShare as shareIn } from '../../model/operations/fault-line.ts';

/** Returns a parser whose failures commander reports with the name of the option. */
export const asArgument =
  <Args extends unknown[], T>(parse: (text: string, ...args: Args) => T) =>
  (text: string, ...args: Args): T => {
    try {
      return parse(text, ...args);
    } catch (error) {
      throw new InvalidArgumentError((error as Error).message);
    }
  };

export const parseDelay = asArgument((text: string) => delayIn(text));
export const parseShare = asArgument((text: string) => shareIn(text));

/** Parses a status or connection fault with an optional share: `503`, `503:10%`, `reset:5%`. */
export function parseFault(text: string): FaultOutcome {
  try {
    return parseOutcome(text);
  } catch (error) {
    const [what = '', ...share] = text.trim().toLowerCase().split(':');
    throw new InvalidArgumentError((share.length < 2 && didYouMean(what, connectionFaults)) || (error as Error).message);
  }
}
