import type { ServedCalendar } from '../data/serving/serve.ts';
import { isProxied, worldHeader, worldPrefixOf, worldsPath } from '../model/addresses.ts';
import { tooLarge } from '../server/body.ts';
import { noBody, type Request as ServerRequest } from '../server/http.ts';
import type { ControlledCalendar } from './calendar.ts';
import { fetchResponse } from './response.ts';

/** Reads the body of a web request, and adds its length to the headers. */
async function readBody(body: ReadableStream<Uint8Array>, headers: Record<string, string>, maxBytes: number): Promise<Uint8Array> {
  if (Number(headers['content-length'] ?? 0) > maxBytes) throw tooLarge(maxBytes);
  const chunks: Uint8Array[] = [];
  let size = 0;
  // Leaving the loop cancels the stream.
  for await (const chunk of body) {
    size += chunk.length;
    if (size > maxBytes) throw tooLarge(maxBytes);
    chunks.push(chunk);
  }
  if (size > 0) headers['content-length'] = String(size);
  return Buffer.concat(chunks);
}

/** Returns a function that handles web requests with the checks of a server. `isTrusted` is true if its callers may use the control API. `url` may be that of a world. */
export function handlerOver(handle: ServedCalendar['handleForeign'], url: string, isTrusted: boolean): ControlledCalendar['handler'] {
  const world = worldPrefixOf(new URL(url).pathname).slice(worldsPath.length + 1);
  return async (incoming) => {
    const { protocol, host, pathname, search } = new URL(incoming.url);
    const headers: Record<string, string> = {};
    for (const [name, value] of incoming.headers) headers[name.toLowerCase()] = value;
    const { host: sentHost } = headers;
    headers.host = host;
    const request: ServerRequest = {
      method: incoming.method,
      path: pathname,
      query: search.slice(1),
      headers,
      body: noBody,
      protocol: protocol === 'https:' ? 'https' : 'http',
      sentHost,
      isRemote: !isTrusted || isProxied(headers),
    };
    if (world !== '' && worldPrefixOf(pathname) === '') headers[worldHeader.toLowerCase()] = world;
    const read = incoming.body ? (maxBytes: number) => readBody(incoming.body!, headers, maxBytes) : undefined;
    const handled = await handle(request, read, () => incoming.signal);
    try {
      return await fetchResponse(handled, request, incoming.signal);
    } catch (error) {
      if (handled.fault === undefined) throw error;
      return Response.error();
    }
  };
}
