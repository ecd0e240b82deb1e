import { outcomeText } from '../../model/operations/request-outcome.ts';
import type { RequestEvent } from '../http.ts';
import { reasonText, withoutSecrets } from './credentials.ts';

/** A line about a request with the reason of its failure or its hint; `hasReason` is true if it has one. */
export function logLine({ method, path, status, fault, aborted = false, error, took, response }: RequestEvent): {
  text: string;
  hasReason: boolean;
} {
  const reason = response && reasonText(response);
  const result = error ?? `${took.toFixed(took < 10 ? 1 : 0)} ms`;
  const text = `${method} ${withoutSecrets(path)} ${outcomeText({ status, fault: fault ?? null, aborted })} ${result}${reason ? ` ${reason}` : ''}`;
  return { text, hasReason: Boolean(reason || error || fault) };
}
