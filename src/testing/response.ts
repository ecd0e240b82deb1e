import { setTimeout as sleep } from 'node:timers/promises';
import type { ConnectionFault } from '../model/operations/faults.ts';
import { joinPieces, type Response as ServerResponse } from '../server/http.ts';

/** The statuses of responses that have no body. */
const bodiless = new Set([204, 205, 304]);

/** What a client sees in the place of an response: the causes that node's own fetch names. */
const causes: Partial<Record<ConnectionFault, [code: string, message: string]>> = {
  reset: ['ECONNRESET', 'the connection was reset'],
  empty: ['UND_ERR_SOCKET', 'other side closed'],
  garbage: ['HPE_INVALID_CONSTANT', 'what came is no HTTP'],
};

/** A copy: the caller may change it. */
const bytesOf = ({ body }: ServerResponse): Uint8Array<ArrayBuffer> => new Uint8Array(joinPieces(body));

/**
 * An response as `fetch` gives it. What befell its connection shows as it does over a socket: rejects with a TypeError, or breaks off while its body is read; what hangs waits for the signal.
 */
export async function responseOf(response: ServerResponse, method: string, signal: AbortSignal): Promise<Response> {
  const { fault, headers } = response;
  const cause = fault && causes[fault];
  if (cause) throw new TypeError('fetch failed', { cause: Object.assign(new Error(cause[1]), { code: cause[0] }) });
  if (fault === 'hang') await aborted(signal);
  const status = response.status || 200;
  const hasBody = method !== 'HEAD' && !bodiless.has(status);
  if (hasBody && (fault || response.slowBody || response.stream))
    return new Response(streamed(chunksOf(response), signal, response.stream?.stop), { status, headers });
  const bytes = bytesOf(response);
  const size: Record<string, string> = hasBody ? { 'Content-Length': String(bytes.length) } : {};
  return new Response(hasBody ? bytes : null, { status, headers: { ...headers, ...size } });
}

/** Never resolves. */
const aborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true }));

/** So many pieces of a slow body. */
const pulses = 10;

async function* chunksOf(response: ServerResponse): AsyncGenerator<Uint8Array, void, undefined> {
  const { stream, fault, slowBody = 0 } = response;
  if (stream) {
    const encoder = new TextEncoder();
    for await (const text of stream.texts) yield encoder.encode(text);
    return;
  }
  const bytes = bytesOf(response);
  if (fault) {
    if (fault === 'truncate') yield bytes.subarray(0, bytes.length >> 1);
    throw new TypeError('terminated', { cause: Object.assign(new Error('other side closed'), { code: 'UND_ERR_SOCKET' }) });
  }
  for (let pulse = 0; pulse < pulses; pulse++) {
    await sleep(slowBody / pulses);
    yield bytes.subarray(Math.floor((bytes.length * pulse) / pulses), Math.floor((bytes.length * (pulse + 1)) / pulses));
  }
}

/** A body that is made while it is read, until nobody reads any more. */
function streamed(pieces: AsyncIterator<Uint8Array>, signal: AbortSignal, stop = (): void => {}): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      const abort = () => {
        stop();
        controller.error(signal.reason);
      };
      signal.addEventListener('abort', abort, { once: true });
    },
    async pull(controller) {
      const { done, value } = await pieces.next();
      if (signal.aborted) return;
      if (done) controller.close();
      else controller.enqueue(value);
    },
    cancel: stop,
  });
}
