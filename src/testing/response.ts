import { setTimeout as sleep } from 'node:timers/promises';
import type { ConnectionFault } from '../model/operations/faults.ts';
import type { Response as Answer } from '../server/http.ts';

/** The statuses of answers that have no body. */
const bodiless = new Set([204, 205, 304]);

/** What a client sees in the place of an answer: the causes that node's own fetch names. */
const causes: Partial<Record<ConnectionFault, [code: string, message: string]>> = {
  reset: ['ECONNRESET', 'the connection was reset'],
  empty: ['UND_ERR_SOCKET', 'other side closed'],
  garbage: ['HPE_INVALID_CONSTANT', 'what came is no HTTP'],
};

const bytesOf = ({ body, pieces }: Answer): Uint8Array<ArrayBuffer> => Buffer.concat(pieces ?? [Buffer.from(body)]);

/**
 * An answer as `fetch` gives it. What befell its connection shows as it does over a socket: rejects with a TypeError, or breaks off while its body is read; what hangs waits for the signal.
 */
export async function responseOf(answer: Answer, method: string, signal: AbortSignal): Promise<Response> {
  const { fault, headers } = answer;
  const cause = fault && causes[fault];
  if (cause) throw new TypeError('fetch failed', { cause: Object.assign(new Error(cause[1]), { code: cause[0] }) });
  if (fault === 'hang') await aborted(signal);
  const status = answer.status || 200;
  const hasBody = method !== 'HEAD' && !bodiless.has(status);
  if (hasBody && (fault || answer.slowBody || answer.stream))
    return new Response(streamed(piecesOf(answer), signal, answer.stream?.stop), { status, headers });
  const bytes = bytesOf(answer);
  const size: Record<string, string> = hasBody ? { 'Content-Length': String(bytes.length) } : {};
  return new Response(hasBody ? bytes : null, { status, headers: { ...headers, ...size } });
}

/** Never resolves. */
const aborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true }));

/** So many pieces of a slow body. */
const pulses = 10;

async function* piecesOf(answer: Answer): AsyncGenerator<Uint8Array, void, undefined> {
  const { stream, fault, slowBody = 0 } = answer;
  if (stream) {
    const encoder = new TextEncoder();
    for await (const text of stream.texts) yield encoder.encode(text);
    return;
  }
  const bytes = bytesOf(answer);
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
