import type { ConnectionFault } from '../../model/operations/faults.ts';
import type { ServerPaths } from '../../model/operations/request-match.ts';
import type { JournaledRequest, Payload, RequestSummary } from '../../model/operations/requests.ts';
import type { Response } from '../http.ts';
import type { AnsweredRequest } from '../listen.ts';
import { piecesOf, sizeOf } from '../response.ts';
import { credentialsOf } from '../token.ts';
import { headerWithoutSecrets, withoutSecrets } from './credentials.ts';

/** So many requests are kept, so many bytes of each body, and of all together. */
const most = { requests: 500, body: 64 << 10, bytes: 16 << 20 };
/** Bytes that a request takes besides bodies. */
const overhead = 2048;

/** What one side brought, of its body the first part. */
interface Side {
  headers: Readonly<Record<string, string | undefined>>;
  body: readonly Uint8Array[];
  /** Of the whole body. */
  bytes: number;
}

/** A request that is kept, as it is looked at. */
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
  sent: Side;
  answered: Side;
}

/** What a journal needs to know. */
export interface JournalContext extends ServerPaths {
  /** The clock of the system, in epoch milliseconds. */
  system(): number;
  /** The clock of the calendar, in epoch milliseconds. */
  now(): number;
}

/** A request with its answer as the server had them, and how many bytes each held: what is done for every request is next to nothing. */
interface Kept {
  id: number;
  at: number;
  now: number;
  event: AnsweredRequest;
  sent: number;
  answered: number;
}

/** The last requests that were answered. */
export class Journal {
  /** The server whose requests these are. */
  readonly server: ServerPaths;
  readonly #context: JournalContext;
  /** By their IDs, round and round. */
  readonly #kept: (Kept | undefined)[] = new Array(most.requests).fill(undefined);
  #first = 1;
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

  /** Takes a request in. */
  add(event: AnsweredRequest): void {
    this.#total += 1;
    const [id, sent, answered] = [this.#total, event.body.length, answerSize(event.answer)];
    const at = this.#context.system() - event.took;
    const small = sent <= most.body && answered <= most.body;
    const kept = { id, at, now: this.#context.now(), event: small ? event : cutDown(event), sent, answered };
    if (id - this.#first >= most.requests) this.#dropFirst();
    this.#kept[id % most.requests] = kept;
    this.#bytes += weightOf(kept);
    while (this.#bytes > most.bytes && this.#first < id) this.#dropFirst();
  }

  /** The last that was taken in. */
  last(): KeptExchange {
    return exchangeOf(this.#kept[this.#total % most.requests]!);
  }

  /** Those that are kept, the oldest first. */
  exchanges(): KeptExchange[] {
    return Array.from({ length: this.#total - this.#first + 1 }, (_, i) => exchangeOf(this.#kept[(this.#first + i) % most.requests]!));
  }

  /** Forgets everything; the next has the ID 1. */
  reset(): void {
    this.#kept.fill(undefined);
    this.#first = 1;
    this.#total = 0;
    this.#bytes = 0;
  }

  #dropFirst(): void {
    const slot = this.#first % most.requests;
    this.#bytes -= weightOf(this.#kept[slot]!);
    this.#kept[slot] = undefined;
    this.#first += 1;
  }
}

const weightOf = ({ sent, answered }: Kept): number => overhead + Math.min(most.body, sent) + Math.min(most.body, answered);

/** A body that is there in pieces is not made a text for this. */
const answerSize = (answer: Response): number => (answer.pieces ? sizeOf(answer.pieces) : Buffer.byteLength(answer.body));

/** The first bytes of a body, copied, so that the others can go. */
function firstOf(pieces: readonly Uint8Array[]): Uint8Array {
  const first: Uint8Array[] = [];
  let bytes = 0;
  for (const piece of pieces) {
    if (bytes >= most.body) break;
    first.push(piece.subarray(0, most.body - bytes));
    bytes += piece.length;
  }
  return Buffer.concat(first);
}

const cutDown = (event: AnsweredRequest): AnsweredRequest => ({
  ...event,
  body: firstOf([event.body]),
  answer: { status: event.answer.status, headers: event.answer.headers, body: '', pieces: [firstOf(piecesOf(event.answer))] },
});

function exchangeOf({ id, at, now, event, sent, answered }: Kept): KeptExchange {
  const { method, path: target, status, fault = null, took, headers, body, answer } = event;
  const mark = target.indexOf('?');
  return {
    ...{ id, at, now, method, status, fault, took },
    path: mark < 0 ? target : target.slice(0, mark),
    query: mark < 0 ? '' : target.slice(mark + 1),
    sent: { headers, body: [body], bytes: sent },
    answered: { headers: answer.headers, body: piecesOf(answer), bytes: answered },
  };
}

/** The name in the credentials of a request; null for none. */
export function userOf({ sent: { headers } }: KeptExchange): string | null {
  if (headers.authorization === undefined) return null;
  const [scheme, credentials] = credentialsOf({ headers });
  return scheme === 'basic' ? Buffer.from(credentials, 'base64').toString('utf8').split(':')[0]! : null;
}

/** The text of a body, as far as it is kept; a character that was cut is left out. */
export const textOf = ({ body, bytes }: Side): string => new TextDecoder().decode(Buffer.concat(body), { stream: bytes > most.body });

/** A request in short, without credentials. */
export const summaryOf = (exchange: KeptExchange): RequestSummary => {
  const { id, at, method, path, query, status, fault, took } = exchange;
  const time = new Date(at).toISOString();
  const roundly = Math.round(took * 1000) / 1000;
  return { id, time, method, path, query: withoutSecrets(query), status, fault, took: roundly, user: userOf(exchange) };
};

/** A request as others see it, without credentials; `brief` without what it and its answer held. */
export function journaled(exchange: KeptExchange, brief: boolean): JournaledRequest {
  const inShort = { ...summaryOf(exchange), now: new Date(exchange.now).toISOString() };
  return brief ? inShort : { ...inShort, request: payloadOf(exchange.sent), response: payloadOf(exchange.answered) };
}

function payloadOf(side: Side): Payload {
  const headers = Object.entries(side.headers).flatMap(([name, value]) => {
    const lower = name.toLowerCase();
    return value === undefined ? [] : [[lower, headerWithoutSecrets(lower, String(value))]];
  });
  return { headers: Object.fromEntries(headers), body: withoutSecrets(textOf(side)), bytes: side.bytes };
}
