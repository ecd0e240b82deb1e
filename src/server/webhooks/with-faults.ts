import { isPatch } from '../faults/fault.ts';
import type { FaultList } from '../faults/fault-list.ts';
import { pause } from './pause.ts';

/** Start of the paths by which faults match webhooks, before the path of the receiver. */
const webhookPath = '/_webhooks';

/** Sends a webhook with the faults that match it. Returns the status of the response. Throws if there is none. */
export async function postWithFaults(
  post: () => Promise<number>,
  url: string,
  headers: Readonly<Record<string, string>>,
  faults: FaultList | undefined,
  signal: AbortSignal,
): Promise<number> {
  const { pathname, search } = new URL(url);
  const hits = faults?.meet({ method: 'POST', path: webhookPath + pathname, query: search.slice(1), headers }) ?? [];
  const delayMs = hits.reduce((sum, { delay }) => sum + delay, 0);
  if (delayMs > 0) await pause(delayMs, signal);
  const last = hits.at(-1);
  const then = last?.then;
  if (last?.hold) {
    const end = await last.hold.requests.wait(last.hold.timeoutMs, [signal]);
    return end.by === 'release' && end.response ? end.response.status : post();
  }
  if (then === undefined || isPatch(then)) return post();
  if (last?.at === 'after') await post();
  if (typeof then === 'string') throw new Error(`Fault ${last!.id}: ${then}`);
  return then.status;
}
