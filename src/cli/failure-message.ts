import { DataError, Failure, type FailureCode } from '../model/error.ts';
import { systemFailure } from '../model/system-error.ts';
import { write } from './print/json.ts';
import { hasColour, type OutputStream, paintFor, type Terminal } from './terminal/terminal.ts';

/** Hints by code, for failures of any calendar: a server's answer carries no hint. */
const hints: Partial<Record<FailureCode, string>> = { 'event-password-protected': 'Open it with --password TEXT.' };

const hintOf = ({ code, hint }: Failure): string | undefined => hints[code] ?? hint;

/** A failure for people: one line, and a line for the hint. */
export function messageOf(failure: Failure, output: OutputStream, env: Terminal['env'], color?: boolean): string {
  const paint = paintFor(output, env, hasColour(output, env, color));
  const hint = hintOf(failure);
  return `${paint.red('calendar:')} ${oneLine(failure.message)}\n${hint ? `  ${paint.dim(oneLine(hint))}\n` : ''}`;
}

/** A text on one line without control characters, which a server may have sent. */
const oneLine = (text: string): string => text.replace(/[\s\0-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]+/g, ' ').trim();

/** A failure for programs: the JSON of the API, with the hint. */
export function jsonOf(failure: Failure): string {
  const { code, message, data, status } = failure;
  const hint = hintOf(failure);
  return `${write({ code: data.remote_code ?? code, message, data: { status, ...data }, ...(hint ? { hint } : {}) })}\n`;
}

/** Anything thrown as a failure; what the operating system refuses is said as such, and an unforeseen error keeps its message. */
export function failureOf(thrown: unknown): Failure {
  const error = systemFailure(thrown);
  if (error instanceof Failure) return error;
  if (error instanceof DataError) return new Failure('rest_invalid_param', error.message);
  const message = error instanceof Error ? error.message : String(error);
  return new Failure('unexpected-failure', message || 'something went wrong', {}, 'This should not happen; -v shows where.');
}
