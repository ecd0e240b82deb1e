/** A request that was answered, in short. */
export interface RequestSummary {
  /** Counts up from 1 since the start, or since the last reset. */
  id: number;
  /** When it came, by the clock of the system: in UTC, ISO 8601. */
  time: string;
  method: string;
  path: string;
  /** Without its question mark. */
  query: string;
  status: number;
  /** Milliseconds from the head of the request to the answer. */
  took: number;
  /** The name that its credentials give; null for none. */
  user: string | null;
}
