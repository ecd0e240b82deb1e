import type { ConnectionFault } from '../../model/operations/connection-faults.ts';
import type { ServerPaths } from '../../model/operations/request-match.ts';
import type { JournaledRequest, Payload, RequestSummary } from '../../model/operations/requests.ts';
import { defaultJournalSize } from '../../model/operations/requests.ts';
import { type BodyPieces, joinPieces, type Request, type RequestEvent, type Response, sizeOf } from '../http.ts';
import { credentialsOf } from '../token.ts';
import { headerWithoutSecrets, reasonText, withoutSecrets } from './credentials.ts';

/** Maximum size of the part of a body that is kept. */
export const maxBodyBytes = 64 << 10;
/** Maximum size of all entries. */
export const maxTotalBytes = 64 << 20;
/** Estimated size of an entry without its bodies. */
const entryBytes = 2048;

/** Headers and body of a request or a response. */
export interface Side {
  headers: Readonly<Record<string, string | undefined>>;
  /** The first part of the body. */
  body: BodyPieces;
  /** Size of the whole body. */
  bytes: number;
}

/** A request in the journal with its response. */
export interface JournalEntry {
  id: number;
  /** Arrival time in epoch milliseconds. */
  at: number;
  /** The same by the calendar's clock. */
  now: number;
  method: string;
  path: string;
  query: string;
  status: number;
  fault: ConnectionFault | null;
  took: number;
  request: Side;
  response: Side;
}

/** The paths and clocks of a journal. */
export interface JournalContext extends ServerPaths {
  /** Number of requests to keep (default 5,000). */
  size?: number;
  /** Returns the time of the system, in epoch milliseconds. */
  system(): number;
  /** Returns the time of the calendar, in epoch milliseconds. */
  now(): number;
}

/** A request and its response with their contents. */
interface CompletedRequest extends RequestEvent {
  /** As its world saw it. */
  request: Request;
  /** Before compression. */
  response: Response;
}

/** A request as it is kept; {@link exchangeOf} converts it on demand. One flat object keeps adding it, which every request waits for, fast. */
interface StoredRequest extends Omit<JournalEntry, 'request' | 'response'> {
  headers: Side['headers'];
  body: Uint8Array;
  requestBytes: number;
  responseHeaders: Side['headers'];
  responseBody: BodyPieces;
  responseBytes: number;
}

/** The last requests that a server received. Bodies are kept as references to the pieces that were sent, up to 64 KB of each. */
export class Journal {
  /** The server that received the requests. */
  readonly server: ServerPaths;
  readonly #size: number;
  /** A ring, by ID. */
  readonly #entries: (StoredRequest | undefined)[] = [];
  #firstId = 1;
  #total = 0;
  readonly #waiting = new Set<() => void>();
  #bytes = 0;
  /** True if no request is added any more. */
  isClosed = false;

  constructor(private readonly context: JournalContext) {
    this.#size = context.size ?? defaultJournalSize;
    this.server = context;
  }

  /** The number of requests since the start, including those no longer kept. */
  get total(): number {
    return this.#total;
  }

  /** Estimated size of all entries. */
  get bytes(): number {
    return this.#bytes;
  }

  /** The number of requests that are no longer kept. */
  get dropped(): number {
    return this.#firstId - 1;
  }

  add(event: CompletedRequest): void {
    this.#total += 1;
    const id = this.#total;
    const { request, response, took } = event;
    const requestBytes = request.body.length;
    const responseBytes = sizeOf(response.body);
    const entry: StoredRequest = {
      id,
      at: this.context.system() - took,
      now: this.context.now(),
      method: event.method,
      path: request.path,
      query: request.query,
      status: event.status,
      fault: event.fault ?? null,
      took,
      headers: request.headers,
      body: requestBytes > maxBodyBytes ? startOf(request.body, maxBodyBytes) : request.body,
      requestBytes,
      responseHeaders: response.headers,
      responseBody: responseBytes > maxBodyBytes ? startOfPieces(response.body) : response.body,
      responseBytes,
    };
    if (id - this.#firstId >= this.#size) this.#dropFirst();
    this.#entries[id % this.#size] = entry;
    this.#bytes += weightOf(entry);
    while (this.#bytes > maxTotalBytes) this.#dropFirst();
    for (const wake of this.#waiting) wake();
  }

  /** Resolves when a request is added, at the signal, or when the journal is closed. */
  nextAfter(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const wake = () => {
        this.#waiting.delete(wake);
        signal.removeEventListener('abort', wake);
        resolve();
      };
      this.#waiting.add(wake);
      signal.addEventListener('abort', wake);
      if (signal.aborted) wake();
    });
  }

  last(): JournalEntry {
    return exchangeOf(this.#entries[this.#total % this.#size]!);
  }

  /** Returns the requests that are kept, the oldest first. */
  exchanges(): JournalEntry[] {
    return Array.from({ length: this.#total - this.#firstId + 1 }, (_, i) => exchangeOf(this.#entries[(this.#firstId + i) % this.#size]!));
  }

  /** Removes all requests; the next one has the ID 1. */
  reset(): void {
    this.#entries.length = 0;
    this.#firstId = 1;
    this.#total = 0;
    this.#bytes = 0;
  }

  /** Removes all requests and ends waits. */
  close(): void {
    this.reset();
    this.isClosed = true;
    for (const wake of this.#waiting) wake();
  }

  /** Drops the oldest request. */
  #dropFirst(): void {
    const slot = this.#firstId % this.#size;
    this.#bytes -= weightOf(this.#entries[slot]!);
    this.#entries[slot] = undefined;
    this.#firstId += 1;
  }
}

const weightOf = ({ requestBytes, responseBytes }: StoredRequest): number =>
  entryBytes + Math.min(maxBodyBytes, requestBytes) + Math.min(maxBodyBytes, responseBytes);

/** Returns the first 64 KB of a body: whole pieces by reference, the last one as a copy, so that the rest of it can be freed. */
function startOfPieces(pieces: BodyPieces): BodyPieces {
  const startPieces: Uint8Array[] = [];
  let bytes = 0;
  for (const piece of pieces) {
    if (bytes + piece.length > maxBodyBytes) {
      startPieces.push(startOf(piece, maxBodyBytes - bytes));
      break;
    }
    startPieces.push(piece);
    bytes += piece.length;
  }
  return startPieces;
}

/** Copies of the starts of bytes that are sent again and again. */
const starts = new WeakMap<Uint8Array, Uint8Array>();

function startOf(bytes: Uint8Array, size: number): Uint8Array {
  const cached = starts.get(bytes);
  if (cached?.length === size) return cached;
  const start = new Uint8Array(bytes.subarray(0, size));
  starts.set(bytes, start);
  return start;
}

function exchangeOf({ headers, body, requestBytes, responseHeaders, responseBody, responseBytes, ...entry }: StoredRequest): JournalEntry {
  return {
    ...entry,
    request: { headers, body: [body], bytes: requestBytes },
    response: { headers: responseHeaders, body: responseBody, bytes: responseBytes },
  };
}

/** Null for none. */
export function userOf({ request: { headers } }: JournalEntry): string | null {
  if (headers.authorization === undefined) return null;
  const [scheme, credentials] = credentialsOf({ headers });
  return scheme === 'basic' ? Buffer.from(credentials, 'base64').toString('utf8').split(':')[0]! : null;
}

/** Returns the text of a body as far as it is kept, without an incomplete character at its end. */
export const textOf = ({ body, bytes }: Side): string => new TextDecoder().decode(joinPieces(body), { stream: bytes > maxBodyBytes });

/** Returns a request in short, without credentials. */
export const summaryOf = (exchange: JournalEntry): RequestSummary => {
  const { id, at, method, path, query, status, fault, took } = exchange;
  const time = new Date(at).toISOString();
  const reason = reasonText({ status, ...exchange.response }) || null;
  const rounded = Math.round(took * 1000) / 1000;
  return { id, time, method, path, query: withoutSecrets(query), status, fault, took: rounded, user: userOf(exchange), reason };
};

/** Returns a request without credentials; with `brief` without headers and bodies. */
export function journaled(exchange: JournalEntry, brief: boolean): JournaledRequest {
  const summary = { ...summaryOf(exchange), now: new Date(exchange.now).toISOString() };
  return brief ? summary : { ...summary, request: payloadOf(exchange.request), response: payloadOf(exchange.response) };
}

function payloadOf(side: Side): Payload {
  const headers = Object.entries(side.headers).flatMap(([name, value]) => {
    const lower = name.toLowerCase();
    return value === undefined ? [] : [[lower, headerWithoutSecrets(lower, String(value))]];
  });
  return { headers: Object.fromEntries(headers), body: withoutSecrets(textOf(side)), bytes: side.bytes };
}
