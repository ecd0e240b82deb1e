import Negotiator from 'negotiator';
import { isControl, isProxied, worldHeader, worldPrefixOf } from '../model/addresses.ts';
import type { Arrival, Coding, Exchange, Server } from './context.ts';
import { type Headers, varyOn } from './headers.ts';
import { hintHeader } from './hints.ts';
import {
  type BodyPieces,
  type Handled,
  isEmptyStatus,
  joinPieces,
  type SealedResponse,
  type ServerRequest,
  type ServerResponse,
  sizeOf,
} from './http.ts';
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

/** The area of the path that was requested, also of one in a world. */
const areaOf = ({ isHostAllowed, arrival }: Exchange): keyof typeof areas => {
  if (!isHostAllowed) return 'rejected';
  const { path } = arrival.request;
  return path.startsWith('/_') && isControl(path.slice(worldPrefixOf(path).length)) ? 'control' : 'site';
};

/** Request headers that every response depends on: pages of some origins may read it, and it is that of the selected world. */
const commonVary = `Origin, ${worldHeader}, Cookie`;
/** The same of a response that may be compressed. */
const codedVary = `${commonVary}, Accept-Encoding`;

/** The text of a second, which many responses share. */
const lastDate = { second: Number.NaN, text: '' };

/** A Date header with the time of the calendar, by which clients resolve words like `tomorrow` (RFC 9110, 6.6.1). Node would send that of the machine, also under fake timers. */
const dateOf = ({ world, server }: Exchange): string => {
  const instant = world ? world.clock.now() : server.now();
  const second = Math.floor(instant / 1000);
  if (second !== lastDate.second) Object.assign(lastDate, { second, text: new Date(instant).toUTCString() });
  return lastDate.text;
};

/**
 * Cached responses as they were sealed last, for requests without an origin, by the coding: most of their time would be that of their headers, or of the coding. Only the date changes
 * with the second. What a fault or a hook makes of one is another response.
 */
const sealedLast = new WeakMap<ServerResponse, { accepted: string | undefined; result: SealedResponse }>();

/** True if responses to the client may be compressed. To one on this machine that takes longer than it saves, unless the client is a proxy. */
function isCompressing({ arrival: { connection, request }, server }: Exchange): boolean {
  if (server.options.compress || request.headers['accept-encoding'] === undefined || !connection?.isLocal?.()) return true;
  return isProxied(request.headers);
}

/** A response as it is sent: with the headers that every response has, and on a connection with a coding and its length. */
export function sealed(exchange: Exchange, response: ServerResponse): SealedResponse | Promise<SealedResponse> {
  const { request, connection } = exchange.arrival;
  const { method, headers } = request;
  const accepted = isCompressing(exchange) ? headers['accept-encoding'] : undefined;
  const mayRepeat = response.mayCache && method === 'GET' && connection && headers.origin === undefined;
  const last = mayRepeat ? sealedLast.get(response) : undefined;
  if (last && last.accepted === accepted) {
    const date = dateOf(exchange);
    const { response: whole, body } = last.result;
    if (whole.headers.Date !== date) last.result = { response: { ...whole, headers: { ...whole.headers, Date: date } }, body };
    return last.result;
  }
  const whole = seal(exchange, response);
  if (method === 'HEAD' || isEmptyStatus(response.status)) whole.body = [];
  const coded = connection ? compress(whole, accepted, connection.encode) : whole;
  const keep = (each: ServerResponse): SealedResponse => {
    const result = withLength(exchange, each, whole.body);
    if (mayRepeat) sealedLast.set(response, { accepted, result });
    return result;
  };
  return coded instanceof Promise ? coded.then(keep) : keep(coded);
}

/** Adds the length of a response on a connection. One to HEAD would have that of GET. */
const withLength = ({ arrival }: Exchange, response: ServerResponse, body: BodyPieces): SealedResponse => {
  const { status, headers, stream } = response;
  const hasLength = arrival.connection && !(stream || arrival.request.method === 'HEAD' || status === 204 || status === 304);
  if (hasLength) headers['Content-Length'] = String(sizeOf(response.body));
  return { response, body };
};

/** A response with the headers that every response has. What a hook or a fault set or removed stays. The given one may be cached, and is not changed. */
export function seal(exchange: Exchange, response: ServerResponse): ServerResponse {
  const { server, arrival } = exchange;
  const { request } = arrival;
  const { Vary } = response.headers;
  // Written out, because adding names that a loop finds takes longer than everything else here.
  const headers: Headers = {
    ...response.headers,
    'X-Content-Type-Options': 'nosniff',
    Vary: Vary === undefined ? commonVary : varyOn(Vary, commonVary),
    Date: dateOf(exchange),
  };
  const isReadByPages = areas[areaOf(exchange)].isReadByPages;
  if (!isReadByPages) for (const name of Object.keys(headers)) if (/^access-control-/i.test(name)) delete headers[name];
  if (isReadByPages && request.headers.origin !== undefined) addCors(headers, request, server.options);
  return { ...response, headers: response.fixed ? withFixed(headers, response) : headers };
}

/** Adds the headers of CORS; without them, and for a header that pages may not send, a hint, since a browser doesn't show the response. A write says so itself. */
function addCors(headers: Headers, request: ServerRequest, options: Server['options']): void {
  const cors = corsHeaders(request, options);
  Object.assign(headers, cors);
  const { origin, 'access-control-request-headers': requested } = request.headers;
  const allowed = headers['Access-Control-Allow-Headers']?.toLowerCase().split(', ');
  const name =
    allowed &&
    requested
      ?.split(',')
      .map((each) => each.trim().toLowerCase())
      .find((each) => !allowed.includes(each));
  const hint =
    cors === undefined
      ? `Pages of ${origin} are not allowed to read this. Allow them with --cors ${origin}`
      : name && `Pages are not allowed to send the header ${name}: Access-Control-Allow-Headers lists those of a site`;
  const isSafe = ['GET', 'HEAD', 'OPTIONS'].includes(request.method);
  if (!hint || !isSafe) return;
  const hintName = `${options.headerPrefix}-Hint`;
  headers[hintName] = [...(headers[hintName] === undefined ? [] : [headers[hintName]]), hintHeader([hint])].join('; ');
}

/** Headers with those that a hook or a fault set or removed as it left them. */
function withFixed(headers: Headers, { headers: own, fixed }: ServerResponse): Headers {
  const isFixed = ([name]: [string, string]) => fixed!.has(name.toLowerCase());
  return Object.fromEntries([...Object.entries(headers).filter((each) => !isFixed(each)), ...Object.entries(own).filter(isFixed)]);
}

/** Minimum size of a body to compress, in bytes. Smaller ones arrive faster as they are; files of the page are loaded once. */
const [minBytes, minFileBytes] = [4096, 256];

/** Content codings, the better one first. */
const preferred: Coding[] = ['br', 'gzip'];
type Encode = NonNullable<NonNullable<Arrival['connection']>['encode']>;

/** Types whose content is compressed already. */
const isCompressed = /^image\/(?!svg)/;
const isFile = /^text\/(javascript|css)/;

/** Compresses the body of a sealed response if it is large and the client accepts it; not one with a fault. Its Vary header names the coding, also without a body: as that of GET. */
export function compress(response: ServerResponse, accepted: string | undefined, encode?: Encode): Handled {
  const { body, headers } = response;
  const type = headers['Content-Type'] ?? '';
  if (isCompressed.test(type) || response.fault || response.slowBody || response.stream) return response;
  headers.Vary = headers.Vary === commonVary ? codedVary : varyOn(headers.Vary, 'Accept-Encoding');
  if (sizeOf(body) < (isFile.test(type) ? minFileBytes : minBytes)) return response;
  const coding = accepted ? codingFor(accepted) : undefined;
  return coding && encode ? encoded(response, coding, encode) : response;
}

function codingFor(accepted: string): Coding | undefined {
  const acceptable = new Negotiator({ headers: { 'accept-encoding': accepted } }).encodings(preferred);
  return preferred.find((coding) => acceptable.includes(coding));
}

async function encoded(response: ServerResponse, coding: Coding, encode: Encode): Promise<ServerResponse> {
  const body = [await encode(coding, joinPieces(response.body))];
  return { ...response, headers: { ...response.headers, 'Content-Encoding': coding }, body };
}
