import { combinedHints } from '../../model/mistakes/hints.ts';
import type { Hint, JournaledRequest } from '../../model/operation-types.ts';
import { isFailed } from '../../model/operations/request-outcome.ts';
import { defaultBodyBytes, defaultJournalSize } from '../../model/operations/requests.ts';
import { reportedRequests } from '../../model/operations/test-report.ts';
import { type BodyPieces, type ServerRequest, type ServerResponse, sizeOf } from '../http.ts';
import { hintsIn } from '../mistakes/sequences.ts';
import type { Coverage } from './coverage.ts';
import type { JournalEntry, LoggedServer, Side } from './entry.ts';
import { summaryOf } from './journaled.ts';

/** Maximum size of all entries. */
export const maxTotalBytes = 64 << 20;
/** Estimated size of an entry without its texts and bodies. */
const entryBytes = 1024;

/** The paths and clocks of a journal. */
interface JournalContext extends LoggedServer {
  /** Number of requests to keep (default 5,000). */
  size?: number;
  /** Maximum size of the part of a body that is kept (default 64 KB). */
  bodyBytes?: number;
  /** Name of the world, for reports. */
  world?: string;
  /** Gets what clients met in requests that are no longer kept; absent if that is not noted. */
  pastCoverage?: Coverage | undefined;
  /** Override of {@link maxTotalBytes}. */
  maxBytes?: number;
  /** The time of the system, in epoch milliseconds. */
  system(): number;
  /** The time of the calendar, in epoch milliseconds. */
  now(): number;
}

/** The last requests that a server received. Bodies are kept as references to the pieces that were sent, by default up to 64 KB of each. */
export class Journal {
  /** The server that received the requests. */
  readonly server: LoggedServer;
  readonly #size: number;
  readonly #maxBytes: number;
  readonly #maxBodyBytes: number;
  /** Numbers of entries by the only piece of their response, as the response cache returns it again and again. */
  readonly #shared = new Map<Uint8Array, number>();
  /** The requests that are kept, by ID. */
  readonly #kept = new Map<number, JournalEntry>();
  #total = 0;
  #dropped = 0;
  readonly #waiting = new Set<() => void>();
  #bytes = 0;
  /** Mistakes in requests that are no longer kept. */
  #pastHints: Hint[] = [];
  /** The same as {@link reported}, of requests that are no longer kept. */
  #pastReported: JournaledRequest[] = [];
  /** True if no request is added any more. */
  isClosed = false;

  constructor(private readonly context: JournalContext) {
    this.#size = context.size ?? defaultJournalSize;
    this.#maxBytes = context.maxBytes ?? maxTotalBytes;
    this.#maxBodyBytes = context.bodyBytes ?? defaultBodyBytes;
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
    return this.#dropped;
  }

  /** Adds a request that arrives. `hasBody` is true if its body follows. */
  arrive(
    method: string,
    { protocol, prefix = '', path, query, headers, body, isOurs = false }: ServerRequest,
    hasBody: boolean,
  ): JournalEntry {
    this.#total += 1;
    const entry: JournalEntry = {
      id: this.#total,
      at: this.context.system(),
      now: this.context.now(),
      method,
      protocol,
      prefix,
      path,
      query,
      status: null,
      fault: null,
      injectedBy: undefined,
      took: null,
      aborted: false,
      request: { headers, body: [], bytes: 0 },
      response: null,
      isComplete: false,
      isOurs,
      mistakes: [],
      lastAtEnd: 0,
      weight: entryBytes + prefix.length + path.length + query.length + textBytes(headers),
    };
    if (this.isClosed) return entry;
    if (this.#kept.size >= this.#size) this.#dropFirst();
    this.#kept.set(entry.id, entry);
    this.#bytes += entry.weight;
    while (this.#bytes > this.#maxBytes) this.#dropFirst();
    if (!hasBody) this.addBody(entry, body);
    return entry;
  }

  /** Adds the requests of an earlier journal to an empty one, which had this many in total. */
  restore(entries: readonly JournalEntry[], total: number): void {
    for (const entry of entries) {
      this.#kept.set(entry.id, entry);
      this.#bytes += entry.weight + this.#share(entry.response?.body ?? []);
    }
    this.#total = total;
  }

  /** False if the response of a request has ended, or if it was removed. */
  #isPending(entry: JournalEntry): boolean {
    return entry.took === null && this.#kept.get(entry.id) === entry;
  }

  /** Adds the body of a request. */
  addBody(entry: JournalEntry, body: Uint8Array): void {
    entry.isComplete = true;
    if (!this.#isPending(entry)) return;
    const bytes = Math.min(this.#maxBodyBytes, body.length);
    entry.weight += bytes;
    this.#bytes += bytes;
    entry.request = {
      headers: entry.request.headers,
      body: [body.length > this.#maxBodyBytes ? startOf(body, this.#maxBodyBytes) : body],
      bytes: body.length,
    };
    this.#wake();
  }

  /** Adds the response that ended. Returns false if the request was removed meanwhile. */
  end(entry: JournalEntry, { status, fault, headers, body, injectedBy, mistakes = [] }: ServerResponse, took: number): boolean {
    if (!this.#isPending(entry)) return false;
    const bytes = sizeOf(body);
    entry.status = status;
    entry.fault = fault ?? null;
    entry.injectedBy = injectedBy;
    entry.mistakes = mistakes;
    entry.lastAtEnd = this.#total;
    const firstPart = bytes > this.#maxBodyBytes ? startOfPieces(body, this.#maxBodyBytes) : body;
    entry.response = { headers, body: firstPart, bytes };
    entry.weight += textBytes(headers);
    this.#bytes += textBytes(headers) + this.#share(firstPart);
    this.#finish(entry, took);
    return true;
  }

  /** Notes that the client of a request went away. Returns false if the request was removed meanwhile. */
  abort(entry: JournalEntry, took: number): boolean {
    if (!this.#isPending(entry)) return false;
    entry.aborted = true;
    this.#finish(entry, took);
    return true;
  }

  /** Counts the body of a response, and returns how much it adds to what is kept. */
  #share(body: BodyPieces): number {
    const [piece] = body;
    if (piece === undefined || body.length > 1) return sizeOf(body);
    const count = this.#shared.get(piece) ?? 0;
    this.#shared.set(piece, count + 1);
    return count === 0 ? piece.length : 0;
  }

  #remove(entry: JournalEntry): void {
    const { id, weight, response } = entry;
    this.context.pastCoverage?.add(entry);
    this.#kept.delete(id);
    this.#bytes -= weight;
    const body = response?.body ?? [];
    const [piece] = body;
    const count = piece && this.#shared.get(piece);
    if (piece === undefined || body.length > 1 || count === undefined) this.#bytes -= sizeOf(body);
    else if (count > 1) this.#shared.set(piece, count - 1);
    else {
      this.#shared.delete(piece);
      this.#bytes -= piece.length;
    }
  }

  #finish(entry: JournalEntry, took: number): void {
    entry.took = took;
    entry.isComplete = true;
    while (this.#bytes > this.#maxBytes) this.#dropFirst();
    this.#wake();
  }

  #wake(): void {
    for (const wake of this.#waiting) wake();
  }

  /** Resolves when a request arrives or ends, at the signal, or when the journal is closed. */
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

  /** The requests that are kept, the oldest first. */
  exchanges(): JournalEntry[] {
    return [...this.#kept.values()];
  }

  /** The mistakes of clients in the requests that are kept. */
  hints(): Hint[] {
    return hintsIn(this.exchanges(), this.context.hints !== false, this.context.world);
  }

  /** The mistakes of clients since the start, also in requests that are no longer kept. */
  allHints(): Hint[] {
    return combinedHints([...this.#pastHints, ...this.hints()]);
  }

  /** Adds what clients met since the start to a report. Returns false if that is not noted. */
  cover(report: Coverage): boolean {
    const { pastCoverage } = this.context;
    if (pastCoverage) report.merge(pastCoverage);
    for (const each of this.exchanges()) report.add(each);
    return pastCoverage !== undefined;
  }

  /** The last requests since the start that explain a failure, also those that are no longer kept. */
  reported(): JournaledRequest[] {
    return reportedRequests([...this.#pastReported, ...this.exchanges().filter(mayExplain).map(summaryOf)]);
  }

  /** Removes all requests; the next one has the ID 1. */
  reset(): void {
    this.#pastReported = this.reported();
    this.#pastHints = this.allHints();
    const { pastCoverage } = this.context;
    if (pastCoverage) for (const each of this.exchanges()) pastCoverage.add(each);
    this.#kept.clear();
    this.#total = 0;
    this.#dropped = 0;
    this.#bytes = 0;
    this.#shared.clear();
  }

  /** Removes the requests with these IDs. Responses that have not ended are not added later. */
  remove(ids: ReadonlySet<number>): void {
    for (const entry of this.#kept.values()) if (ids.has(entry.id)) this.#remove(entry);
  }

  /** Removes the requests whose responses have not ended. Their responses are not added later. */
  removePending(): void {
    for (const entry of this.#kept.values()) if (entry.took === null) this.#remove(entry);
  }

  /** Removes all requests and ends waits. */
  close(): void {
    this.reset();
    this.isClosed = true;
    this.#wake();
  }

  /** Drops the oldest request that has ended; the oldest one if none has. */
  #dropFirst(): void {
    let [first] = this.#kept.values();
    for (const entry of this.#kept.values())
      if (entry.took !== null) {
        first = entry;
        break;
      }
    this.#remove(first!);
    this.#dropped += 1;
  }
}

/** True for a request that failed or got a hint: the others need no reading for a report. */
const mayExplain = (entry: JournalEntry): boolean =>
  isFailed(entry) || Object.keys(entry.response?.headers ?? {}).some((name) => /-hint$/i.test(name));

function textBytes(headers: Side['headers']): number {
  let bytes = 0;
  for (const name in headers) bytes += name.length + (headers[name]?.length ?? 0);
  return bytes;
}

/** The first part of a body: whole pieces by reference, the last one as a copy, so that the rest of it can be freed. */
function startOfPieces(pieces: BodyPieces, maxBytes: number): BodyPieces {
  const startPieces: Uint8Array[] = [];
  let bytes = 0;
  for (const piece of pieces) {
    if (bytes + piece.length > maxBytes) {
      startPieces.push(startOf(piece, maxBytes - bytes));
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
