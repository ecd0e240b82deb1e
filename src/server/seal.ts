import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import Negotiator from 'negotiator';
import { isControl, worldHeader, worldPrefixOf } from '../model/addresses.ts';
import type { Exchange } from './context.ts';
import { varyOn } from './headers.ts';
import { isEmptyStatus, joinPieces, type ServerResponse, sizeOf } from './http.ts';
import { corsHeaders } from './token.ts';

/** The area of a server that a request is for, by the path that was requested; `rejected` for a request that is malformed, or whose Host header is not allowed. */
type Area = 'site' | 'control' | 'rejected';

/** True for an area whose responses, failures included, pages of other origins may read as `--cors` says: the API, and pages, feeds and images of the site. */
const isReadByPages: Record<Area, boolean> = { site: true, control: false, rejected: false };

export function areaOf({ isHostAllowed, arrival: { request } }: Exchange): Area {
  if (!isHostAllowed) return 'rejected';
  const { path } = request;
  return isControl(path) || isControl(path.slice(worldPrefixOf(path).length)) ? 'control' : 'site';
}

/** Request headers that every response depends on: pages of some origins may read it, and it is that of the selected world. */
const commonVary = `Origin, ${worldHeader}, Cookie`;

/** Returns a response with the headers that every response has, whatever made it. What a hook or a fault set or removed stays. The given one may be cached, and is not changed. */
export function seal(exchange: Exchange, response: ServerResponse): ServerResponse {
  const { server, arrival } = exchange;
  const { fixed } = response;
  const headers = { ...response.headers };
  const set = (name: string, value: string): void => {
    if (!fixed?.has(name.toLowerCase())) headers[name] = value;
  };
  if (isReadByPages[areaOf(exchange)]) {
    const cors = corsHeaders(arrival.request, server.options);
    for (const name in cors) set(name, cors[name]!);
  } else for (const name of Object.keys(headers)) if (/^access-control-/i.test(name)) delete headers[name];
  set('X-Content-Type-Options', 'nosniff');
  set('Vary', varyOn(headers.Vary, commonVary));
  set('Date', dateAt(exchange.selected?.clock.now() ?? server.now()));
  return { ...response, headers };
}

/** The text of a second, which many responses share. */
const lastDate = { second: Number.NaN, text: '' };

/** Returns a Date header with the time of the calendar, by which clients resolve words like `tomorrow` (RFC 9110, 6.6.1). Node would send the time of the machine, also under fake timers. */
function dateAt(instant: number): string {
  const second = Math.floor(instant / 1000);
  if (second !== lastDate.second) Object.assign(lastDate, { second, text: new Date(instant).toUTCString() });
  return lastDate.text;
}

/** Returns a response as it is sent: without a body, if its method or its status has none. */
export function sendable({ arrival: { request } }: Exchange, response: ServerResponse): ServerResponse {
  return request.method === 'HEAD' || isEmptyStatus(response.status) ? { ...response, body: [] } : response;
}

/** Returns a sealed response as it is sent on a connection: with its length. */
export function framed({ arrival: { request, connection } }: Exchange, response: ServerResponse): ServerResponse {
  const { status, body, stream } = response;
  const headers = { ...response.headers };
  // A client whose body was not read may send it or not: what follows on the connection is unknown.
  if (status === 413 || stream || response.isLast || connection?.isLast()) headers.Connection = 'close';
  // A response to HEAD would have the length of one to GET.
  if (status === 205 || !(stream || request.method === 'HEAD' || isEmptyStatus(status))) headers['Content-Length'] = String(sizeOf(body));
  return { ...response, headers };
}

/** Minimum size of a body to compress, in bytes. Smaller ones arrive faster as they are; files of the page are loaded once. */
const [minBytes, minFileBytes] = [4096, 256];

/** Content codings, the better one first, at levels that take little time. */
const codings = {
  br: (bytes: Uint8Array) => promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }),
  gzip: (bytes: Uint8Array) => promisify(gzip)(bytes, { level: 4 }),
};
type Coding = keyof typeof codings;
const preferred = Object.keys(codings) as Coding[];

/** Types whose content is compressed already. */
const isCompressed = /^image\/(?!svg)/;
const isFile = /^text\/(javascript|css)/;

/** Compresses the body of a sealed response if it is large and the client accepts it; not one with a fault. Also a response without a body says what that of GET depends on. */
export function compress(response: ServerResponse, accepted: string | undefined): ServerResponse | Promise<ServerResponse> {
  const { body, headers } = response;
  const type = headers['Content-Type'] ?? '';
  if (isCompressed.test(type) || response.fault || response.slowBody || response.stream) return response;
  const varying = { ...response, headers: { ...headers, Vary: varyOn(headers.Vary, 'Accept-Encoding') } };
  if (sizeOf(body) < (isFile.test(type) ? minFileBytes : minBytes)) return varying;
  const coding = accepted ? codingFor(accepted) : undefined;
  return coding ? encode(coding, varying) : varying;
}

function codingFor(accepted: string): Coding | undefined {
  const acceptable = new Negotiator({ headers: { 'accept-encoding': accepted } }).encodings(preferred);
  return preferred.find((coding) => acceptable.includes(coding));
}

async function encode(coding: Coding, response: ServerResponse): Promise<ServerResponse> {
  const body = [await codings[coding](joinPieces(response.body))];
  return { ...response, headers: { ...response.headers, 'Content-Encoding': coding }, body };
}
