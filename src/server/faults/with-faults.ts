import { codeFor } from '../../model/error.ts';
import { isControl } from '../../model/operations/control.ts';
import type { ConnectionFault, FaultAnswer } from '../../model/operations/faults.ts';
import { isLookingOn } from '../../model/web-page.ts';
import type { Handle, HandlerOptions, Request, Response } from '../http.ts';
import { corsHeaders } from '../origin.ts';
import type { Hit } from './fault.ts';
import type { FaultList } from './fault-list.ts';

/** Waits for so many milliseconds, or until the server closes. */
export type Sleep = (milliseconds: number) => Promise<unknown>;

/** The same handler, whose answers go wrong as the faults say; without any they cost one look. Control and what the page reads are spared. */
export function withFaults(handle: Handle, faults: FaultList, options: HandlerOptions, sleep: Sleep): Handle {
  return (request) => {
    if (faults.isEmpty || isControl(request.path) || isLookingOn(request)) return handle(request);
    const hits = faults.meet(request);
    return hits.length ? faulty(handle, request, hits, options, sleep) : handle(request);
  };
}

async function faulty(handle: Handle, request: Request, hits: readonly Hit[], options: HandlerOptions, sleep: Sleep): Promise<Response> {
  const delayAt = (at: Hit['at']): number => hits.reduce((sum, hit) => sum + (hit.at === at ? hit.delay : 0), 0);
  const wait = async (milliseconds: number) => milliseconds > 0 && (await sleep(milliseconds));
  const last = hits.at(-1)!;
  await wait(delayAt('before'));
  const answer = last.then === undefined || last.at === 'after' ? await handle(request) : undefined;
  await wait(delayAt('after'));
  if (typeof last.then === 'string') return broken(last.then, answer);
  const seen = last.then ? madeUp(last, last.then, request, options) : answer!;
  const slowBody = hits.reduce((sum, hit) => sum + hit.slowBody, 0);
  return slowBody > 0 ? { ...plain(seen), slowBody } : seen;
}

/** A copy whose body is read when it is sent. */
const plain = (answer: Response): Response => {
  const { status, headers, pieces } = answer;
  return { status, headers, body: pieces ? '' : answer.body, pieces };
};

/** An answer that will not arrive as it should. Without one, nothing was asked for: what is seen of it is the head of any answer. */
const broken = (fault: ConnectionFault, answer?: Response): Response => ({
  ...plain(answer ?? { status: 0, headers: { 'Content-Type': 'application/json; charset=UTF-8' }, body: '' }),
  fault,
});

function madeUp({ id }: Hit, { status, body, headers = {} }: FaultAnswer, request: Request, options: HandlerOptions): Response {
  const own = status < 400 ? '' : { code: codeFor(status), message: `fault ${id} of this server`, data: { status } };
  const given = body === undefined ? own : body;
  const text = typeof given === 'string' ? given : JSON.stringify(given);
  const typed = text === '' || Object.keys(headers).some((name) => name.toLowerCase() === 'content-type');
  const type = { 'Content-Type': `${text === given ? 'text/plain' : 'application/json'}; charset=UTF-8` };
  // A page may read its fault as it may read any answer.
  return { status, headers: { ...(typed ? {} : type), ...corsHeaders(request, options), ...headers }, body: text };
}
