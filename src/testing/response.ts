import { utf8Bytes } from '../model/formats/bytes.ts';
import type { ConnectionFault } from '../model/operations/connection-faults.ts';
import { wait } from '../model/time/duration.ts';
import type { DirectResponse } from '../server/handle.ts';
import { isEmptyStatus, joinPieces, type ServerResponse } from '../server/http.ts';

/** The causes that node's fetch gives for each fault. */
const causes: Partial<Record<ConnectionFault, [code: string, message: string]>> = {
  reset: ['ECONNRESET', 'the connection was reset'],
  empty: ['UND_ERR_SOCKET', 'other side closed'],
  garbage: ['HPE_INVALID_CONSTANT', 'invalid HTTP'],
};

const failedFetch = (message: string, [code, cause]: [code: string, message: string]) =>
  new TypeError(message, { cause: Object.assign(new Error(cause), { code }) });
const closed: [string, string] = ['UND_ERR_SOCKET', 'other side closed'];

/** Returns a copy: the caller may change it. */
const bytesOf = ({ body }: ServerResponse): Uint8Array<ArrayBuffer> => new Uint8Array(joinPieces(body));

/**
 * Returns a response as `fetch` gives it. Connection faults look as over a socket: it rejects with a TypeError, or the body breaks off; a request that hangs waits for the signal or the
 * next epoch.
 */
export async function fetchResponse(response: DirectResponse, method: string, signal: AbortSignal): Promise<Response> {
  const { fault, headers, slowBody, stream, epoch, onEnd } = response;
  const cause = fault && causes[fault];
  if (cause) throw failedFetch('fetch failed', cause);
  if (fault === 'hang') await ended(signal, epoch);
  const status = response.status || 200;
  const hasBody = method !== 'HEAD' && !isEmptyStatus(status);
  if (hasBody && (fault || slowBody || stream))
    return new Response(streamed(chunksOf(response), signal, stream?.stop ?? (() => onEnd?.(true))), { status, headers });
  const bytes = bytesOf(response);
  const size: Record<string, string> = hasBody ? { 'Content-Length': String(bytes.length) } : {};
  return new Response(hasBody ? bytes : null, { status, headers: { ...headers, ...size } });
}

/** Rejects when the signal aborts, or the epoch ends. */
const ended = (signal: AbortSignal, epoch: AbortSignal | undefined): Promise<never> =>
  new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    epoch?.addEventListener('abort', () => reject(failedFetch('fetch failed', closed)), { once: true });
  });

/** Number of pieces of a slow body. */
const pulses = 10;

async function* chunksOf(response: DirectResponse): AsyncGenerator<Uint8Array, void, undefined> {
  const { stream, fault, slowBody = 0, epoch } = response;
  if (stream) {
    for await (const text of stream.texts) yield utf8Bytes(text);
    return;
  }
  const bytes = bytesOf(response);
  if (fault) {
    if (fault === 'truncate') yield bytes.subarray(0, bytes.length >> 1);
    throw failedFetch('terminated', closed);
  }
  for (let pulse = 0; pulse < pulses; pulse++) {
    await wait(slowBody / pulses, { signal: epoch });
    if (epoch?.aborted) throw failedFetch('terminated', closed);
    yield bytes.subarray(Math.floor((bytes.length * pulse) / pulses), Math.floor((bytes.length * (pulse + 1)) / pulses));
  }
  response.onEnd?.(false);
}

/** Returns a stream of chunks, which ends with the signal. */
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
