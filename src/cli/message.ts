import { Failure, type FailureCode } from '../model/error.ts';
import { isColourful, type Output, paintFor, type Terminal } from './terminal.ts';

/** What to do about failures that come from any calendar: a hint does not travel over the wire. */
const hints: Partial<Record<FailureCode, string>> = { 'event-password-protected': 'Open it with --password TEXT.' };

const hintOf = ({ code, hint }: Failure): string | undefined => hints[code] ?? hint;

/** A failure as people read it: one line, and a hint below where there is one. */
export function messageOf(failure: Failure, output: Output, env: Terminal['env'], color?: boolean): string {
  const paint = paintFor(output, env, isColourful(output, env, color));
  const hint = hintOf(failure);
  return `${paint.red('calendar:')} ${oneLine(failure.message)}\n${hint ? `  ${paint.dim(oneLine(hint))}\n` : ''}`;
}

/** A text on one line; what a terminal would obey, which a server may have sent, is left out. */
const oneLine = (text: string): string => text.replace(/[\s\0-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]+/g, ' ').trim();

/** A failure as programs read it: what the wire says, and the hint. */
export function jsonOf(failure: Failure): string {
  const { code, message, data, status } = failure;
  const hint = hintOf(failure);
  return `${JSON.stringify({ code: data.remote_code ?? code, message, data: { status, ...data }, ...(hint ? { hint } : {}) })}\n`;
}

/** Anything thrown as a failure of the closed list. What nobody foresaw keeps its message. */
export function failureOf(error: unknown): Failure {
  if (error instanceof Failure) return error;
  const message = error instanceof Error ? error.message : String(error);
  return new Failure('unexpected-failure', message || 'something went wrong', {}, 'This should not happen; -v shows where.');
}
