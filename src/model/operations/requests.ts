import type { ConnectionFault } from './faults.ts';
import type { Mismatch, RequestMatch } from './request-match.ts';

/** A request that was answered, in short. */
export interface RequestSummary {
  /** Counts up from 1 since the start, the last reset, or since they were cleared. */
  id: number;
  /** When it came, by the clock of the system: in UTC, ISO 8601. */
  time: string;
  method: string;
  path: string;
  /** Without its question mark. */
  query: string;
  /** 0 where a fault kept the calendar from being asked for an answer. */
  status: number;
  /** What went wrong with the connection on purpose; null for nothing. */
  fault: ConnectionFault | null;
  /** Milliseconds from the head of the request to the answer. */
  took: number;
  /** The name that its credentials give; null for none. */
  user: string | null;
}

/** What a request brought, or an answer. Credentials in it are left out. */
export interface Payload {
  /** Names in lower case. */
  headers: Record<string, string>;
  /** Its first 64 KB, as a text. */
  body: string;
  /** How many bytes the whole body had, before it was compressed for the way. */
  bytes: number;
}

/** A request as a server keeps it. Who may not see everything gets it without what it and its answer held. */
export interface JournaledRequest extends RequestSummary {
  /** What counted as now in the calendar when it was answered: in UTC, ISO 8601. */
  now: string;
  request?: Payload;
  response?: Payload;
}

/** Which statuses are meant: one like 404, all like `4xx`, or any of several. */
export type StatusMatch = number | string | readonly (number | string)[];

/** Which of the requests that were answered are meant. */
export interface JournalMatch extends RequestMatch {
  status?: StatusMatch;
  /** The name in their credentials; null for none. */
  user?: string | null;
  /**
   * What they brought: a text as a whole, else what JSON or a form says. Objects may have more members than are given; `*` in a text stands for anything, null for what is not there;
   * 5 and "5" are the same.
   */
  body?: unknown;
}

/** Which requests to list: those that are kept, the oldest first. */
export interface RequestsInput extends Pick<JournalMatch, 'method' | 'path' | 'status' | 'user'> {
  /** Only those after this ID, from there on; without it the last ones. */
  after?: number;
  /** At most so many. */
  limit?: number;
  /** Without what they and their answers held. */
  brief?: boolean;
}

export interface RequestList {
  requests: JournaledRequest[];
  /** How many there were in all, also those that are not kept any more. */
  total: number;
}

/** How many requests have to match; at least one when nothing is said. */
export interface VerifyInput {
  match?: JournalMatch;
  exactly?: number;
  atLeast?: number;
  atMost?: number;
  never?: boolean;
}

/** A request that comes near to what was asked for, and why it is not meant; for no reason where it is one too many. */
export interface NearRequest {
  request: RequestSummary;
  mismatches: Mismatch[];
}
