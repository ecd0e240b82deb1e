import type { RequestMatch } from './request-match.ts';

/**
 * What befalls the connection of a request. `reset`: it is reset (RST); `empty`: it is closed; `garbage`: bytes come that are no HTTP; `malformed`: the head of an answer, then a chunk
 * that is none; `truncate`: half of the answer, then it is closed; `hang`: nothing, for as long as the client waits. Before `malformed` and `truncate` nothing is said.
 */
export const connectionFaults = ['reset', 'empty', 'malformed', 'garbage', 'truncate', 'hang'] as const;
export type ConnectionFault = (typeof connectionFaults)[number];

/** Milliseconds: always as many, any from the first to the second alike, or about a median, mostly, with a long tail. */
export type Delay = number | { uniform: readonly [number, number] } | { lognormal: { median: number; sigma: number } };

/** An answer in the place of the calendar's own. */
export interface FaultAnswer {
  status: number;
  /** A text as it is, all else as JSON; without one the API's own form of a failure. */
  body?: unknown;
  headers?: Readonly<Record<string, string>>;
}

/** Whether the client sees a fault in the place of what it asked for, or after that was done. */
export const faultMoments = ['before', 'after'] as const;

/** What goes wrong with which requests. */
export interface FaultInput {
  /** Of requests below the namespace all, unless a path is given. */
  match?: RequestMatch;
  /** How often; for ever when absent. */
  times?: number;
  /** As many requests that match go well first. */
  after?: number;
  /** Of the rest each third, say. */
  every?: number;
  /** Of the rest some, from 0 to 1. */
  probability?: number;
  /** Another seed draws other delays and other requests. */
  rng_seed?: string;
  /** Before the answer. */
  delay?: Delay;
  /** From the first byte of the body to the last. */
  slow_body?: Delay;
  /** What the client gets; the calendar's own answer when absent. */
  then?: ConnectionFault | FaultAnswer;
  /** `before` unless told; what cuts an answer comes after. */
  at?: (typeof faultMoments)[number];
}

/** A fault of a server. */
export interface FaultInfo extends FaultInput {
  id: number;
  match: RequestMatch;
  /** How many requests it has met. */
  hits: number;
  /** How many more it will meet; null for any number. */
  remaining: number | null;
}

/** The milliseconds that a fault may take at the most. */
export const mostDelay = 600_000;
