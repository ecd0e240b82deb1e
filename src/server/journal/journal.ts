import type { ConnectionFault } from '../../model/faults.ts';
import type { JournaledRequest, Payload, RequestSummary } from '../../model/journal.ts';
import type { ServerPaths } from '../../model/request-match.ts';
import type { Response } from '../http.ts';
import type { AnsweredRequest } from '../listen.ts';
import { sizeOf } from '../response.ts';
import { credentialsOf } from '../token.ts';
import { headerWithoutSecrets, withoutSecrets } from './credentials.ts';

/** So many requests are kept, so many bytes of each body, and of all together. */
const most = { requests: 500, body: 64 << 10, bytes: 16 << 20 };
/** Bytes that a request takes besides bodies. */
const overhead = 2048;

/** What one side brought, of its body the first part. */
interface Kept {
  headers: Readonly<Record<string, string | undefined>>;
  body: readonly Uint8Array[];
  /** Of the whole body. */
  bytes: number;
}

/** A request as it is kept: what it and its answer held is shared with the server, and made readable when somebody asks. */
export interface KeptExchange {
  id: number;
  /** Epoch milliseconds, when it came. */
  at: number;
  /** Epoch milliseconds, what counted as now in the calendar. */
  now: number;
  method: string;
  path: string;
  query: string;
  status: number;
  fault: ConnectionFault | null;
  took: number;
  sent: Kept;
  answered: Kept;
}

/** What a journal needs to know. */
export interface JournalContext extends ServerPaths {
  /** The clock of the system, in epoch milliseconds. */
  system(): number;
  /** The clock of the calendar, in epoch milliseconds. */
  now(): number;
}

/** The last requests that were answered. */
export class Journal {
  /** The server whose requests these are. */
  readonly server: ServerPaths;
  readonly #context: JournalContext;
  readonly #kept = new Map<number, KeptExchange>();
  #total = 0;
  #bytes = 0;

  constructor(context: JournalContext) {
    this.#context = context;
    this.server = context;
  }

  /** How many there were in all. */
  get total(): number {
    return this.#total;
  }

  /** Takes a request in; gives what makes its summary, without a hold on what it held. */
  add({ method, path: target, status, fault, took, headers, body, answer }: AnsweredRequest): () => RequestSummary {
    this.#total += 1;
    const mark = target.indexOf('?');
    const exchange: KeptExchange = {
      id: this.#total,
      at: this.#context.system() - took,
      now: this.#context.now(),
      method,
      path: mark < 0 ? target : target.slice(0, mark),
      query: mark < 0 ? '' : target.slice(mark + 1),
      status,
      fault: fault ?? null,
      took,
      sent: { headers, body: cut([body], body.length), bytes: body.length },
      answered: keptOf(answer),
    };
    this.#kept.set(exchange.id, exchange);
    this.#bytes += weightOf(exchange);
    if (this.#kept.size > most.requests || this.#bytes > most.bytes) this.#dropOldest();
    return summaryMaker(exchange);
  }

  /** Those that are kept, the oldest first. */
  exchanges(): KeptExchange[] {
    return [...this.#kept.values()];
  }

  /** Forgets everything; the next has the ID 1. */
  reset(): void {
    this.#kept.clear();
    this.#total = 0;
    this.#bytes = 0;
  }

  #dropOldest(): void {
    for (const [id, exchange] of this.#kept) {
      if (this.#kept.size <= most.requests && (this.#bytes <= most.bytes || this.#kept.size === 1)) return;
      this.#kept.delete(id);
      this.#bytes -= weightOf(exchange);
    }
  }
}

const weightOf = ({ sent, answered }: KeptExchange): number =>
  overhead + Math.min(most.body, sent.bytes) + Math.min(most.body, answered.bytes);

/** The first bytes of a body, copied where there are more of them, so that the others can go. */
function cut(pieces: readonly Uint8Array[], size: number): readonly Uint8Array[] {
  if (size <= most.body) return pieces;
  const first: Uint8Array[] = [];
  let bytes = 0;
  for (const piece of pieces) {
    if (bytes >= most.body) break;
    first.push(piece.subarray(0, most.body - bytes));
    bytes += piece.length;
  }
  return [Buffer.concat(first)];
}

function keptOf({ headers, pieces, body }: Response): Kept {
  const all = pieces ?? (body === '' ? [] : [Buffer.from(body)]);
  const bytes = sizeOf(all);
  return { headers, body: cut(all, bytes), bytes };
}

/** The name in the credentials of a request; null for none. */
export const userOf = ({ sent }: KeptExchange): string | null => nameIn(sent.headers.authorization);

function nameIn(authorization: string | undefined): string | null {
  if (authorization === undefined) return null;
  const [scheme, credentials] = credentialsOf({ headers: { authorization } });
  return scheme === 'basic' ? Buffer.from(credentials, 'base64').toString('utf8').split(':')[0]! : null;
}

/** The text of a body, as far as it is kept; a character that was cut is left out. */
export const textOf = ({ body, bytes }: Kept): string => new TextDecoder().decode(Buffer.concat(body), { stream: bytes > most.body });

/** A request in short, without credentials. */
export const summaryOf = (exchange: KeptExchange): RequestSummary => summaryMaker(exchange)();

const summaryMaker =
  ({
    id,
    at,
    method,
    path,
    query,
    status,
    fault,
    took,
    sent: {
      headers: { authorization },
    },
  }: KeptExchange) =>
  (): RequestSummary => ({
    id,
    time: new Date(at).toISOString(),
    method,
    path,
    query: withoutSecrets(query),
    status,
    fault,
    took: Math.round(took * 1000) / 1000,
    user: nameIn(authorization),
  });

/** A request as others see it, without credentials; `brief` without what it and its answer held. */
export function journaled(exchange: KeptExchange, brief: boolean): JournaledRequest {
  const inShort = { ...summaryOf(exchange), now: new Date(exchange.now).toISOString() };
  return brief ? inShort : { ...inShort, request: payloadOf(exchange.sent), response: payloadOf(exchange.answered) };
}

function payloadOf(kept: Kept): Payload {
  const headers = Object.entries(kept.headers).flatMap(([name, value]) => {
    const lower = name.toLowerCase();
    return value === undefined ? [] : [[lower, headerWithoutSecrets(lower, String(value))]];
  });
  return { headers: Object.fromEntries(headers), body: withoutSecrets(textOf(kept)), bytes: kept.bytes };
}
