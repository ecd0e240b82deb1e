import { Failure } from '../../model/error.ts';
import type { ClockState, Done, Hint, WorldInfo, WorldInput } from '../../model/operation-types.ts';
import type { operationGroups } from '../../model/operations/all.ts';
import type { Operation } from '../../model/operations/operation.ts';
import type { Coverage } from '../../server/journal/coverage.ts';
import type { Store } from '../../store/calendar.ts';
import type { Source } from '../ingest/source.ts';
import type { OnProgress } from '../summary.ts';
import type { World } from '../world/world.ts';

/** Parts of operations that only Node has. */
export interface OperationParts {
  /** The operations on other sites. */
  sync(): Promise<Implementations<'sync'>>;
  /** The file at a path, by the name that the user gave it. */
  fileSource(name: string, path: string): Promise<Source>;
}

/** The parts of Node that a thing needs. Throws `bad-request` without them, as in a browser. */
export function nodeFor<Parts>(thing: string, node: Parts | undefined): Parts {
  if (node) return node;
  throw new Failure('bad-request', `${thing} is only available in Node`, 'Elsewhere, a calendar has no files, no port and no other site.');
}

/** The environment of operations. */
export interface OperationContext {
  store: Store;
  /** ID of the world; absent for the calendar of a server or a file. */
  id?: string | undefined;
  /** The world of a server; absent for a file that no server runs for. */
  world?: World;
  /** Version of the program. */
  version: string;
  /** The address that the API of the server starts with; absent without a server. */
  url?(): string;
  /** The site that the server pulls from; absent without one. */
  followed?: {
    host: string;
    /** When the last complete pull ended, in ISO 8601; null before. */
    pulled: string | null;
    /** Why the calendar can't be served yet; undefined if it can. */
    pending: string | undefined;
    /** The age of the copy, and what happens next. */
    text: string;
    /** True if this is the site at an address. */
    isAt(root: string): boolean;
    /** True if this is the site with a key, and the last pull failed. */
    failsAt(site: string): boolean;
    pullNow(): Promise<Done>;
  };
  /** The seed it was started with. */
  seed?: string;
  /** Absent in a browser. */
  node?: OperationParts;
  /** The worlds of the server; absent without one. */
  worlds?: {
    list(): WorldInfo[];
    create(input: WorldInput): Promise<WorldInfo>;
    get(id: string): WorldInfo;
    delete(id: string): Promise<WorldInfo>;
    /** The mistakes of clients in all worlds, also in those that are deleted. */
    hints(): Hint[];
    /** Adds what clients met in all worlds, also in those that are deleted. */
    cover(report: Coverage): void;
    /** The requests that selected no world, or one that is gone, since a time of {@link machine.uptime}. */
    refusedSince(since: number): string[];
  };
  onProgress?: OnProgress;
  /** Called when the clock was set. */
  onClock?(state: ClockState): void;
}

/** Carries out an operation. */
type Implementation<Each> =
  Each extends Operation<string, infer Input, infer Output>
    ? (context: OperationContext, input: Input, signal?: AbortSignal) => Output | Promise<Output>
    : never;

/** The implementations of a group of operations, under the same names. */
export type Implementations<Group extends keyof typeof operationGroups> = {
  [Name in keyof (typeof operationGroups)[Group]]: Implementation<(typeof operationGroups)[Group][Name]>;
};

/** The world of a server. Throws `bad-request` without a server; `users` names the things that need it, like `faults`. */
export function servedWorld({ world }: OperationContext, users: string): World {
  if (world) return world;
  throw new Failure('bad-request', `No server is running, which ${users} need`, 'Start one with calendar serve, or pass --url.');
}
