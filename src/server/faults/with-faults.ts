import { codeFor } from '../../model/error.ts';
import { isControl } from '../../model/operations/control.ts';
import type { FaultAnswer } from '../../model/operations/faults.ts';
import { isPageRead } from '../../model/web-page.ts';
import { type Handle, type HandlerOptions, type Request, type Response, textBody } from '../http.ts';
import { corsHeaders } from '../origin.ts';
import type { Hit } from './fault.ts';
import type { FaultList } from './fault-list.ts';

/** Waits until a time has passed, the epoch is over, or the server closes. */
export type Sleep = (ms: number, epoch?: AbortSignal) => Promise<unknown>;

/** Injects faults into the responses of a handler, except for the control API and the page's own reads. */
export function withFaults(handle: Handle, faults: FaultList, options: HandlerOptions, sleep: Sleep): Handle {
  return (request) => {
    if (faults.isEmpty || isControl(request.path) || isPageRead(request)) return handle(request);
    const hits = faults.meet(request);
    return hits.length ? injectFaults(handle, request, hits, options, sleep) : handle(request);
  };
}

async function injectFaults(
  handle: Handle,
  request: Request,
  hits: readonly Hit[],
  options: HandlerOptions,
  sleep: Sleep,
): Promise<Response> {
  const delayAt = (at: Hit['at']): number => hits.reduce((sum, hit) => sum + (hit.at === at ? hit.delay : 0), 0);
  const wait = async (ms: number) => ms > 0 && (await sleep(ms, request.epoch));
  const last = hits.at(-1)!;
  await wait(delayAt('before'));
  const response = last.then === undefined || last.at === 'after' ? await handle(request) : undefined;
  await wait(delayAt('after'));
  if (typeof last.then === 'string') return { ...(response ?? unhandled), fault: last.then };
  const seen = last.then ? faultResponse(last, last.then, request, options) : response!;
  const slowBody = hits.reduce((sum, hit) => sum + hit.slowBody, 0);
  return slowBody > 0 ? { ...seen, slowBody } : seen;
}

/** The response of a request that is not handled; faults show only its headers. */
const unhandled: Response = { status: 0, headers: { 'Content-Type': 'application/json; charset=UTF-8' }, body: [] };

function faultResponse({ id }: Hit, { status, body, headers = {} }: FaultAnswer, request: Request, options: HandlerOptions): Response {
  const defaultBody = status < 400 ? '' : { code: codeFor(status), message: `Injected by fault ${id}`, data: { status } };
  const given = body === undefined ? defaultBody : body;
  const text = typeof given === 'string' ? given : JSON.stringify(given);
  const typed = text === '' || Object.keys(headers).some((name) => name.toLowerCase() === 'content-type');
  const type = { 'Content-Type': `${text === given ? 'text/plain' : 'application/json'}; charset=UTF-8` };
  // A page can read an injected response as it can read any other.
  return { status, headers: { ...(typed ? {} : type), ...corsHeaders(request, options), ...headers }, body: textBody(text) };
}
