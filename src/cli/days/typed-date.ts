import { Failure, invalidParams } from '../../model/error.ts';
import { typedDate, typedDateFault } from '../../model/time/typed-date.ts';

/** Returns a date of the command line in a form that the API reads as it was meant. Throws for one that `strtotime` would misread, such as `05/06/2027` or `2027`. */
export function readTyped<T>(name: string, value: T): T | string {
  if (typeof value !== 'string') return value;
  const text = typedDate(value);
  const fault = typedDateFault(text);
  if (!fault) return text;
  const { isAmbiguous, reason, hint } = fault;
  if (isAmbiguous) throw new Failure('bad-request', `Ambiguous ${name} ${JSON.stringify(value)}: ${reason}`, hint);
  throw invalidParams({ [name]: { reason: `${JSON.stringify(value)} ${reason}` } }, hint);
}

/** Reads the dates of an object in place. */
export function readTypedDates(values: Record<string, unknown>, names: readonly string[]): void {
  for (const name of names) if (values[name] !== undefined) values[name] = readTyped(name, values[name]);
}
