import { DataError, Failure, type FailureCode, systemFailure } from '../model/error.ts';
import { toJson } from './print/json.ts';
import { escapeInJson, paintFor } from './terminal/safe-output.ts';
import { hasColor, type OutputStream, type Terminal } from './terminal/terminal.ts';

/** Hints by code, for failures of any calendar. */
const hints: Partial<Record<FailureCode, string>> = { 'event-password-protected': 'Pass --password TEXT.' };

const hintOf = ({ code, hint }: Failure): string | undefined => hints[code] ?? hint;

/** Formats a failure: one line, and a line for the hint. */
export function failureMessage(failure: Failure, output: OutputStream, env: Terminal['env'], color?: boolean): string {
  const paint = paintFor(output, env, hasColor(output, env, color));
  const hint = hintOf(failure);
  return `${paint.red('calendar:')} ${oneLine(failure.message)}\n${hint ? `  ${paint.dim(oneLine(hint))}\n` : ''}`;
}

/** Removes line breaks, which a server may have sent. */
const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();

/** Formats a failure as JSON, as in the API, with the hint. */
export function failureJson(failure: Failure): string {
  const { code, message, data, status } = failure;
  const hint = hintOf(failure);
  return `${escapeInJson(toJson({ code: data.remote_code ?? code, message, data: { status, ...data }, ...(hint ? { hint } : {}) }))}\n`;
}

/** Converts anything thrown to a failure. */
export function failureOf(thrown: unknown): Failure {
  const error = systemFailure(thrown);
  if (error instanceof Failure) return error;
  if (error instanceof DataError) return new Failure('rest_invalid_param', error.message);
  const message = error instanceof Error ? error.message : String(error);
  return new Failure('unexpected-failure', message || 'Unexpected error', 'This is a bug. Run the command with -v for a stack trace.');
}
