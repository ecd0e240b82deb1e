import type { Ref } from '../model/calendar.ts';
import type { RequestContext, Site } from '../model/context.ts';
import type { JsonSchema } from '../model/fields/field.ts';
import type { Query } from '../model/fields/list.ts';
import type { ConnectionFault } from '../model/operations/connection-faults.ts';
import type { ControlReach } from '../model/operations/control.ts';
import type { Service } from '../model/operations/service.ts';
import type { Viewer } from '../model/viewer.ts';
import type { WebPage } from '../model/web-page.ts';

/** A request as plain data. Header names are in lower case; the query has no question mark. */
export interface Request {
  method: string;
  path: string;
  query: string;
  headers: Record<string, string | undefined>;
  body: Uint8Array;
  /** Where it came from: an address, or a network of them. Absent where it came through no socket. */
  peer?: string;
  /** Aborts when the calendar is reset, which ends the request. Absent for requests that a reset does not end. */
  epoch?: AbortSignal;
}

/** A body for requests that have none. */
export const noBody = new Uint8Array();

/** The body of a response: consecutive pieces. Nobody writes to them, so they can be kept. */
export type BodyPieces = readonly Uint8Array[];

/** A response as plain data. */
export interface Response {
  status: number;
  headers: Record<string, string>;
  body: BodyPieces;
  /** A body that is produced while it is sent, instead of `body`. */
  stream?: BodyStream;
  /** The connection fault to inject instead of the response, or of its rest; the status is 0 if the request was not handled. */
  fault?: ConnectionFault;
  /** Time from the first byte of the body to the last, in ms. */
  slowBody?: number;
}

/** Texts that are sent one after the other. */
export interface BodyStream {
  texts: AsyncIterable<string>;
  /** Ends the stream, because the client is gone or the server stops. */
  stop(): void;
}

/** Returns a text as a body. */
export const textBody = (text: string): BodyPieces => (text === '' ? [] : [Buffer.from(text)]);

/** Returns the size of a body in bytes. */
export const sizeOf = (pieces: BodyPieces): number => {
  let size = 0;
  for (const { length } of pieces) size += length;
  return size;
};

/** Returns a body as one array of bytes; without a copy if it has one piece. */
export const joinPieces = (pieces: BodyPieces): Uint8Array => (pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces));

/** A server as a function of data. Never rejects. */
export type Handle = (request: Request) => Response | Promise<Response>;

/** How a server is addressed. */
export interface HandlerOptions {
  /** Before the namespace, like `/wp-json`; empty for none. */
  basePath: string;
  /** The two words and the version that every path starts with. */
  namespace: string;
  /** What the names of the total headers start with. */
  headerPrefix: string;
  /** Where links start, without a slash; the request's own host when absent. */
  home?: string;
  /** Lets the command line of the same user in, with every right. */
  token?: string;
  /** Origins of pages that may call, `*` for all; those of this machine when absent. */
  cors?: readonly string[];
  /** Who reaches the control interface that stands beside; nobody when absent. */
  control?: ControlReach;
  /** The page for people, got when it is first asked for; none when absent. */
  page?(): Promise<WebPage>;
}

/** A request whose method, query and site are read. */
export interface Exchange {
  request: Request;
  service: Service;
  options: HandlerOptions;
  /** In upper case, after overrides. */
  method: string;
  query: Query;
  site: Site;
}

/** An exchange whose route is found, by a caller who may ask for it. */
export interface Call extends Exchange {
  viewer: Viewer;
  /** The record that the path names. */
  ref: Ref | undefined;
  /** Every route of the server, for those that describe it. */
  routes: readonly ServerRoute[];
}

/** An answer before `_fields`, `_envelope` and `_jsonp` are applied. */
export interface Result {
  status: number;
  headers: Record<string, string | number>;
  /** What becomes JSON, unless there is a body. */
  value?: unknown;
  body?: Body;
}

/** A body with a tag. */
export interface Body {
  pieces: BodyPieces;
  /** Equal tags mean equal bytes. */
  tag: string;
}

/** What some methods of a route take, as the namespace index and OPTIONS say it. */
export interface Endpoint {
  methods: readonly string[];
  args: Record<string, object> | readonly [];
}

/** What can be done on a route, by method in lower case: an operation of OpenAPI 3.1 each. */
export type Operations = Record<string, JsonSchema>;

/** One route of a server, as routing and documents read it. */
export interface ServerRoute {
  /** Its variables are `{id}`, digits, `{slug}`, anything but a slash, and `{parents}`, any number of parts with a slash after each. */
  path: string;
  below: 'site' | 'base path' | 'namespace';
  methods: readonly string[];
  /** One phrase for documents. */
  summary: string;
  respond(call: Call): Result | Promise<Result>;
  /** The methods that are open to a caller, where these are not all. */
  allow?(call: Call): string[];
  /** What the index and OPTIONS say; neither knows a route without it. */
  endpoints?(ctx: RequestContext, options: HandlerOptions): Endpoint[];
  /** The operations of `/openapi.json`; it leaves out a route without them. */
  operations?(ctx: RequestContext, options: HandlerOptions): Operations | Promise<Operations>;
}
