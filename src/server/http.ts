import type { Ref } from '../model/calendar.ts';
import type { RequestContext, Site } from '../model/context.ts';
import type { JsonSchema } from '../model/fields/field.ts';
import type { Query } from '../model/fields/list.ts';
import type { ControlReach } from '../model/operations/control.ts';
import type { ConnectionFault } from '../model/operations/faults.ts';
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
}

/** A body for requests that have none. */
export const noBody = new Uint8Array();

/** An answer as plain data. */
export interface Response {
  status: number;
  headers: Record<string, string>;
  body: string;
  /** The same body in UTF-8, where it is there in that form: pieces that follow on each other. */
  pieces?: readonly Uint8Array[];
  /** The body where it is made while it is sent: it ends when there is no more, or when somebody stops it. */
  stream?: BodyStream;
  /** What befalls the connection in the place of this answer, or of its rest; the status is 0 where the calendar was not asked for one. */
  fault?: ConnectionFault;
  /** Milliseconds from the first byte of the body to the last, where it is to be slow. */
  slowBody?: number;
}

/** Texts that go out as they come, each when the one before is on its way. */
export interface BodyStream {
  texts: AsyncIterable<string>;
  /** Nobody reads any more, or the server ends. */
  stop(): void;
}

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

/** A body in UTF-8, as pieces that follow on each other. */
export interface Body {
  pieces: readonly Uint8Array[];
  /** Names the content: equal tags, equal bytes. */
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
  answer(call: Call): Result | Promise<Result>;
  /** The methods that are open to a caller, where these are not all. */
  allow?(call: Call): string[];
  /** What the index and OPTIONS say; neither knows a route without it. */
  endpoints?(ctx: RequestContext, options: HandlerOptions): Endpoint[];
  /** The operations of `/openapi.json`; it leaves out a route without them. */
  operations?(ctx: RequestContext, options: HandlerOptions): Operations | Promise<Operations>;
}
