import { isControl } from '../../model/addresses.ts';
import { codeFor } from '../../model/error.ts';
import type { FaultAnswer } from '../../model/operation-types.ts';
import type { ConnectionFault } from '../../model/operations/connection-faults.ts';
import type { QueryChange } from '../../model/operations/faults.ts';
import { htmlPage } from '../../model/operations/site-faults.ts';
import { redirectedName } from '../../model/unknown-names.ts';
import type { Step, WorldExchange } from '../context.ts';
import { fixedNames, foreignHeaders } from '../headers.ts';
import { hintHeader } from '../hints.ts';
import { type Handled, type HandlerOptions, type ServerRequest, type ServerResponse, textBody } from '../http.ts';
import type { HoldEnd } from './fault.ts';
import { type Hit, isChange, isQuery, isRedirect, isReset } from './fault.ts';

/** Injects faults into responses, except for the control API and calls of the page and of the TypeScript API. */
export const faults: Step = (request, exchange, next) => {
  const { world } = exchange;
  if (world.faults.isEmpty || isControl(request.path) || request.ownCall) return next(request);
  const hits = world.faults.meet(request);
  return hits.length ? injectFaults(request, exchange, hits, next) : next(request);
};

async function injectFaults(
  request: ServerRequest,
  exchange: WorldExchange,
  hits: readonly Hit[],
  next: (request: ServerRequest) => Handled,
): Promise<ServerResponse> {
  const { world, arrival } = exchange;
  const { options, stopping } = world;
  const delayAt = (at: Hit['at']): number => hits.reduce((sum, hit) => sum + (hit.at === at ? hit.delay : 0), 0);
  const { epoch } = request;
  const isOver = () => epoch?.aborted || stopping.aborted;
  const wait = async (ms: number) => ms > 0 && !isOver() && (await world.faults.sleep(ms));
  const last = hits.at(-1)!;
  const { then, hold } = last;
  const waitForRelease = (): HoldEnd | Promise<HoldEnd> =>
    isOver() ? { by: 'release' } : hold!.requests.wait(hold!.timeoutMs, arrival.gone?.());
  // Loaded for faults that change responses: rfc6902 takes time.
  const patch = isChange(then) ? await import('./patch.ts') : undefined;
  const changed = isQuery(then)
    ? { ...request, query: changedQuery(request.query, then) }
    : isReset(then)
      ? { ...request, resetsOmitted: true }
      : patch
        ? patch.completeRequest(request)
        : request;
  await wait(delayAt('before'));
  let end = hold && last.at === 'before' ? await waitForRelease() : undefined;
  const isReplaced = end?.by === 'release' && end.response !== undefined;
  const isHandled =
    (then === undefined || isQuery(then) || isReset(then) || hold !== undefined || last.at === 'after') &&
    !isReplaced &&
    end?.by !== 'abort';
  const response = isHandled ? await next(changed) : undefined;
  await wait(delayAt('after'));
  if (hold && last.at === 'after') end = await waitForRelease();
  if (end) return heldResponse(last, end, response ?? unhandled, options);
  if (isChange(then)) return patch!.patched(response!, then, request, exchange, last.id);
  if (typeof then === 'string') return { ...(response ?? unhandled), fault: then as ConnectionFault };
  const replacement = isRedirect(then)
    ? redirectOf(last, then.redirect, arrival.request)
    : then && !isQuery(then) && !isReset(then)
      ? faultResponse(last, then)
      : response!;
  const slowBody = hits.reduce((sum, hit) => sum + hit.slowBody, 0);
  return slowBody > 0 ? { ...replacement, slowBody } : replacement;
}

/** A query with other values; null removes a parameter, also one in brackets. */
function changedQuery(text: string, { query }: QueryChange): string {
  const parameters = new URLSearchParams(text);
  for (const [name, value] of Object.entries(query)) {
    for (const key of [...parameters.keys()]) if (key === name || key.startsWith(`${name}[`)) parameters.delete(key);
    if (value !== null) parameters.set(name, String(value));
  }
  return parameters.toString();
}

function heldResponse(hit: Hit, end: HoldEnd, response: ServerResponse, options: HandlerOptions): ServerResponse {
  if (end.by === 'abort') return response;
  if (end.by === 'release') return end.response ? faultResponse(hit, end.response) : response;
  const hint = hintHeader([`Fault ${hit.id} held this request for ${hit.hold!.timeoutMs / 1000} s without a release`]);
  return { ...response, headers: { ...response.headers, [`${options.headerPrefix}-Hint`]: hint } };
}

/** The response of a request that is not handled; faults show only its headers. */
const unhandled: ServerResponse = { status: 0, headers: { 'Content-Type': 'application/json; charset=UTF-8' }, body: [] };

/** Returns a redirect to the same address, with a parameter by which the fault does not meet it again. */
function redirectOf({ id }: Hit, status: number, { path, query }: ServerRequest): ServerResponse {
  const Location = `${path}?${query && `${query}&`}${redirectedName}=1`;
  return { status, headers: { Location, 'Content-Type': 'text/html' }, body: [], injectedBy: id };
}

/** Reasons of the statuses for which a proxy in front of a site sends its page. */
const proxyReasons: Partial<Record<number, string>> = {
  429: 'Too Many Requests',
  502: 'Bad Gateway',
  503: 'Service Unavailable',
  504: 'Gateway Timeout',
};

/** The body of an error without one: the page of a proxy, or an error in the form of the API. */
function defaultBody(id: number, status: number): Pick<FaultAnswer, 'body' | 'headers'> {
  const reason = proxyReasons[status];
  const title = `${status} ${reason}`;
  if (reason) return { body: htmlPage(title, `<h1>${title}</h1>`), headers: { 'Content-Type': 'text/html' } };
  return { body: status < 400 ? '' : { code: codeFor(status), message: `Injected by fault ${id}`, data: { status } } };
}

function faultResponse({ id }: Hit, { status, body, headers: given = {} }: FaultAnswer): ServerResponse {
  const usual = body === undefined ? defaultBody(id, status) : {};
  const content = usual.body ?? body;
  const text = typeof content === 'string' ? content : JSON.stringify(content);
  const headers = { ...usual.headers, ...foreignHeaders(given) };
  const fixed = fixedNames({}, headers);
  if (text !== '') headers['Content-Type'] ??= `${text === content ? 'text/plain' : 'application/json'}; charset=UTF-8`;
  return { status, headers, fixed, body: textBody(text), injectedBy: id };
}
