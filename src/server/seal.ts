import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import Negotiator from 'negotiator';
import { isControl, worldHeader, worldPrefixOf } from '../model/addresses.ts';
import type { Exchange } from './context.ts';
import { varyOn } from './headers.ts';
import { joinPieces, type ServerResponse, sizeOf } from './http.ts';
import { corsHeaders } from './token.ts';

/** The areas of a server; true for those whose responses, failures included, pages of other origins may read. */
const areas = {
  /** The API, pages, feeds and images of the site: as `--cors` says. */
  site: { isReadByPages: true },
  /** Everything below `/_calendar`. */
  control: { isReadByPages: false },
  /** Bytes that are not a request, and requests whose Host header is not accepted. */
  rejected: { isReadByPages: false },
};

/** Returns the area of the path that was requested, also of one in a world. */
const areaOf = ({ isHostAllowed, arrival }: Exchange): keyof typeof areas => {
  if (!isHostAllowed) return 'rejected';
  const { path } = arrival.request;
  return isControl(path) || isControl(path.slice(worldPrefixOf(path).length)) ? 'control' : 'site';
};

/** Request headers that every response depends on: pages of some origins may read it, and it is that of the selected world. */
const commonVary = `Origin, ${worldHeader}, Cookie`;

/** The text of a second, which many responses share. */
const lastDate = { second: Number.NaN, text: '' };

/** Returns a response with the headers that every response has, whatever made it. What a hook or a fault set or removed stays. The given one may be cached, and is not changed. */
export function seal(exchange: Exchange, response: ServerResponse): ServerResponse {
  const { server, world, arrival } = exchange;
  const { request } = arrival;
  const { fixed } = response;
  const headers = { ...response.headers };
  const set = (name: string, value: string): void => {
    if (!fixed?.has(name.toLowerCase())) headers[name] = value;
  };
  if (!areas[areaOf(exchange)].isReadByPages) {
    for (const name of Object.keys(headers)) if (/^access-control-/i.test(name)) delete headers[name];
  } else if (request.headers.origin !== undefined) {
    const cors = corsHeaders(request, server.options);
    for (const name in cors) set(name, cors[name]!);
  }
  set('X-Content-Type-Options', 'nosniff');
  set('Vary', varyOn(headers.Vary, commonVary));
  // The time of the calendar, by which clients resolve words like `tomorrow` (RFC 9110, 6.6.1). Node would send that of the machine, also under fake timers.
  const instant = world ? world.clock.now() : server.now();
  const second = Math.floor(instant / 1000);
  if (second !== lastDate.second) Object.assign(lastDate, { second, text: new Date(instant).toUTCString() });
  set('Date', lastDate.text);
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
