import type { ControlReach } from '../model/addresses.ts';
import type { Ref } from '../model/calendar.ts';
import type { LinkBase, RequestContext } from '../model/context.ts';
import type { JsonSchema } from '../model/fields/field.ts';
import type { Query } from '../model/fields/list.ts';
import { concatBytes, utf8Bytes } from '../model/formats/bytes.ts';
import type { Mistake } from '../model/mistakes/table.ts';
import type { ConnectionFault } from '../model/operations/connection-faults.ts';
import type { Service } from '../model/operations/service.ts';
import type { Resources } from '../model/resources/declared.ts';
import type { GivenOptions } from '../model/server-options.ts';
import type { SiteSlugs } from '../model/site-address.ts';
import type { Viewer } from '../model/viewer.ts';
import type { OwnCaller, WebPage } from '../model/web-page.ts';
import type { UndoLog } from './changes/undo-log.ts';

/** A request as plain data. Header names are in lower case; the query has no question mark. */
export interface ServerRequest {
  method: string;
  path: string;
  query: string;
  headers: Record<string, string | undefined>;
  body: Uint8Array;
  /** Host and port where it arrived, if it has no Host header. */
  address?: string;
  /** The protocol of the links in its response (default http). */
  protocol?: 'http' | 'https';
  /** Its Host header, if a framework derived its address, and with it `headers.host`, from something else. */
  sentHost?: string;
  /** True if its client may be on another machine: the control API then requires a token. */
  isRemote?: boolean;
  /** ID of the world that it selects; absent for the calendar of the server. */
  world?: string;
  /** The start of its path that selected the page or a world, like `/_worlds/ID`, after the folder that everything is in, if any. Links repeat it; `path` doesn't contain it. */
  prefix?: string;
  /** For a call of the page or of the TypeScript API; see `ownCallOf`. */
  ownCall?: OwnCaller;
  /** True for a request of this program: an own call, a write of the page, or one of the command line. Its mistakes are not those of a client under test. */
  isOurs?: boolean;
  /** True for a call of the TypeScript API that is the owner's: that of a test, which names no user. */
  isOwners?: boolean;
  /** True if a fault makes its update reset what it omits. */
  resetsOmitted?: boolean;
  /** Aborts when the calendar is reset, which ends the request. Absent for requests that a reset does not end. */
  epoch?: AbortSignal;
}

/** A body for requests that have none. */
export const noBody = new Uint8Array();

/** The body of a response: consecutive pieces, which must not be modified, so that they can be kept. */
export type BodyPieces = readonly Uint8Array[];

/** A response as plain data. */
export interface ServerResponse {
  status: number;
  headers: Record<string, string>;
  /** Names, in lower case, of the headers that a hook or a fault set or removed, which the seal leaves as they are. */
  fixed?: ReadonlySet<string>;
  body: BodyPieces;
  /** A body that is produced while it is sent, instead of `body`. */
  stream?: BodyStream;
  /** The connection fault to inject instead of the response, or of its rest; the status is 0 if the request was not handled. */
  fault?: ConnectionFault;
  /** True if it is the same until the state of the calendar changes. */
  mayCache?: boolean;
  /** Time from the first byte of the body to the last, in ms. */
  slowBody?: number;
  /** ID of the fault that made it, if it is not that of the calendar. */
  injectedBy?: number;
  /** Mistakes of the client in its request. */
  mistakes?: readonly Mistake[];
  /** True if its connection closes after it. */
  isLast?: boolean;
}

/** A response as it is sent, and its body before coding. */
export interface SealedResponse {
  response: ServerResponse;
  body: BodyPieces;
}

/** A request and its response, for logs. */
export interface RequestEvent {
  /** `-` for a connection that sent no complete request head. */
  method: string;
  /** Includes the query string; `-` for a connection that sent no complete request head. */
  path: string;
  /** The response's status, also when a fault replaced the response; 0 if there is none. */
  status: number;
  /** The connection fault that was injected instead of a response, if any. */
  fault?: ConnectionFault;
  /** True if the client went away before the response ended. */
  aborted?: boolean;
  /** Reason of a connection error. */
  error?: string;
  /** Time from the request's head to its response, in ms. */
  took: number;
  /** Absent for a connection error, and if the client went away. */
  response?: ServerResponse;
}

/** Texts that are sent one after the other. */
export interface BodyStream {
  texts: AsyncIterable<string>;
  /** Ends the stream, because the client is gone or the server stops. */
  stop(): void;
}

export const textBody = (text: string): BodyPieces => (text === '' ? [] : [utf8Bytes(text)]);

/** True if a response with a status has no body (RFC 9110, 15.3.5, 15.3.6 and 15.4.5). */
export const isEmptyStatus = (status: number): boolean => status === 204 || status === 205 || status === 304;

export const sizeOf = (pieces: BodyPieces): number => {
  let size = 0;
  for (const { length } of pieces) size += length;
  return size;
};

/** A body as one array of bytes; without a copy if it has one piece. */
export const joinPieces = (pieces: BodyPieces): Uint8Array => (pieces.length === 1 ? pieces[0]! : concatBytes(pieces));

export type Handled = ServerResponse | Promise<ServerResponse>;

/** A server as a function of data. Never rejects. */
export type Handle = (request: ServerRequest) => Handled;

/** The files of uploaded images, by names that are unique. */
export interface ImageFiles {
  /** Undefined if there is none. */
  load(name: string): Promise<Uint8Array | undefined>;
  /** Stores a file; resolves when it is durable. A crash leaves the whole file or nothing. */
  save(name: string, bytes: Uint8Array): Promise<void>;
}

/** Options of a handler. */
export interface HandlerOptions extends GivenOptions<'basePath' | 'namespace' | 'headerPrefix'> {
  /** True if it listens on an address that other machines can reach. */
  exposed?: boolean;
  /** Token with full access, for the command line of the same user. */
  token?: string;
  /** Callers that may use the control API (default: none). */
  control?: ControlReach;
  /** The files of uploaded images; absent if uploads are not served. */
  files?: ImageFiles;
  /** The site that the calendar is a copy of; absent for other calendars. */
  copyOf?: {
    host: string;
    /** When the last complete pull ended, in ISO 8601; null before. */
    pulled: string | null;
    /** Why the calendar can't be served yet; undefined if it can. */
    pending: string | undefined;
  };
  /** Loads the web page on first use; absent without one. */
  page?(): Promise<WebPage>;
  /** Creates the examples of `/openapi.json`, by resource. */
  examples?(): Promise<Readonly<Record<string, RecordExamples>>>;
}

/** The examples of a resource: a record, the page of one record that contains it, without it, and inputs that create and update a record. */
export interface RecordExamples {
  record: object;
  page: object;
  input: object;
  changes: object;
}

/** A request for a route, as the parts of the API see it. */
export interface Call {
  request: ServerRequest;
  service: Service;
  options: HandlerOptions;
  /** Every route of the server, for documents. */
  routes: readonly ServerRoute[];
  /** In upper case, after overrides. */
  method: string;
  query: Query;
  site: LinkBase;
  /** The changes of many records that can be undone. */
  undoLog: UndoLog;
  /** Advice for the header with hints, besides mistakes. */
  hints: string[];
  /** Mistakes of the client. Those of form are in the header with hints. */
  mistakes: Mistake[];
  /** A visitor until the request is authenticated. */
  viewer: Viewer;
  /** The record in the path. */
  ref: Ref | undefined;
  /** True if the path was that of a copied record's page on its site. */
  isSitePage?: boolean;
}

/** A result before `_fields`, `_envelope` and `_jsonp` are applied. */
export interface Result {
  status: number;
  headers: Record<string, string | number>;
  /** As in a response. */
  fixed?: ReadonlySet<string>;
  /** True if the caller of a route of the API is a user. */
  isSignedIn?: boolean;
  /** The value to serialize, unless there is a body. */
  value?: unknown;
  body?: Body;
  /** A body that is produced while it is sent. */
  stream?: BodyStream;
  /** Advice for fixing an error. */
  hint?: string;
}

interface Body {
  pieces: BodyPieces;
  /** Hash of the content. */
  tag: string;
}

/** Arguments of some methods of a route, for the namespace index and OPTIONS. */
export interface Endpoint {
  methods: readonly string[];
  args: Record<string, object> | readonly [];
}

/** OpenAPI 3.1 operations of a route by method in lower case. */
export type Operations = Record<string, JsonSchema>;

/** The context of documents: that of a request, and the resources with declared fields. */
export type DocumentContext = RequestContext & { resources: Resources };

export const documentContext = (service: Service): DocumentContext => ({ ...service.requestContext(), resources: service.resources() });

/** A route of a server. */
export interface ServerRoute {
  /** The path, with the variables `{id}` (digits), `{slug}` (anything but a slash) and `{parents}` (any number of parts, each followed by a slash). */
  path: string;
  /** The path before it: none, the folder of the site, the base path or the namespace. */
  below: 'origin' | 'site' | 'base path' | 'namespace';
  /** True for the paths that it takes below that, instead of those of `path`. */
  matches?(path: string, slugs: SiteSlugs): boolean;
  methods: readonly string[];
  /** Description in documents. */
  summary: string;
  respond(call: Call): Result | Promise<Result>;
  /** The methods that the caller may use, if they are not all. */
  allow?(call: Call): string[];
  /** The endpoints for the index and OPTIONS; both skip routes without it. */
  endpoints?(ctx: DocumentContext, options: HandlerOptions): Endpoint[];
  /** The operations for `/openapi.json`, which skips routes without it. */
  operations?(ctx: DocumentContext, options: HandlerOptions): Operations | Promise<Operations>;
}

/** True for a request that names HTML, as browsers do for what a person opens. */
export const namesHtml = ({ accept = '' }: ServerRequest['headers']): boolean => /\btext\/html\b/.test(accept);
