import { readFileSync } from 'node:fs';

/** A recorded request of the reference service and its response. */
export interface Exchange {
  /** Position in the recording. */
  n: number;
  name: string;
  method: string;
  path: string;
  query?: string;
  /** A user of users.json, or `name:password`. */
  auth?: string;
  type?: 'json' | 'form' | 'raw';
  body?: unknown;
  headers?: Record<string, string>;
  /** Values to remember from the response, by name: a dotted path into the body each. */
  capture?: Record<string, string>;
  /** Values that are known without a request. */
  known?: Record<string, unknown>;
  /** Absent where the exchange only prepares state for later ones. */
  expect?: Expectation;
}

/** A recorded response; `"*"` stands for any value. */
export interface Expectation {
  status: number;
  headers?: Record<string, string>;
  body?: unknown;
  /** Ignore members that were not recorded: those of the body itself (true), or at any depth. */
  subset?: boolean | 'deep';
  /** The resource of the body's IDs. */
  of?: string;
  /** The name under which the body would be a member. */
  key?: string;
}

const folder = new URL('.', import.meta.url);

/** Returns the exchanges of a recording in this folder, in order. */
export const readExchanges = (file: string): Exchange[] =>
  readFileSync(new URL(file, folder), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));

/** The users of the recording. */
export const recordedUsers: { id: number; name: string; role: 'administrator'; password: string }[] = JSON.parse(
  readFileSync(new URL('users.json', folder), 'utf8'),
);
