import { Failure } from '../model/error.ts';
import { isColourful, type Output, paintFor, type Terminal } from './terminal.ts';

/** A failure as people read it: one line, and a hint below where there is one. */
export function messageOf(failure: Failure, output: Output, env: Terminal['env'], color?: boolean): string {
  const paint = paintFor(output, env, isColourful(output, env, color));
  const [line] = failure.message.split('\n');
  return `${paint.red('calendar:')} ${line}\n${failure.hint ? `  ${paint.dim(failure.hint)}\n` : ''}`;
}

/** A failure as programs read it: what the wire says, and the hint. */
export function jsonOf(failure: Failure): string {
  const { code, message, data, status, hint } = failure;
  return `${JSON.stringify({ code: data.remote_code ?? code, message, data: { status, ...data }, ...(hint ? { hint } : {}) })}\n`;
}

/** Anything thrown as a failure of the closed list. What nobody foresaw keeps its message. */
export function failureOf(error: unknown): Failure {
  if (error instanceof Failure) return error;
  const message = error instanceof Error ? error.message : String(error);
  return new Failure('unexpected-failure', message || 'something went wrong', {}, 'This should not happen; -v shows where.');
}
