import type { Extension } from '../../model/context.ts';
import type { FaultInput } from '../../model/operations/faults.ts';
import { namespace } from '../../model/routes.ts';
import type { WebPage } from '../../model/web-page.ts';
import type { RequestEvent } from '../../server/listen.ts';
import type { Store } from '../../store/calendar.ts';
import type { Durability } from '../../store/file/sql.ts';
import type { SettingName } from '../../store/records/settings.ts';
import type { StoreImage } from '../../store/snapshots.ts';
import type { ConnectTo } from '../control/records.ts';

/** How a calendar is served. */
export interface ServingOptions {
  /** The file that holds it; without one it is in memory. */
  file?: string;
  /** What a calendar in memory starts as, before `prepare`: an image of another. */
  image?: StoreImage;
  /** The address to listen on. */
  host: string;
  /** 0 takes any free one. */
  port: number;
  /** What stands before the namespace, with a slash at its start; empty for nothing. */
  basePath: string;
  /** Without slashes at its ends. */
  namespace: string;
  /** How the headers with totals start. */
  headerPrefix: string;
  /** Origins of pages that may call, `*` for all; those of this machine when absent. */
  cors?: readonly string[];
  /** Parts of the service to do without. */
  without?: readonly Extension[];
  durability: Durability;
  /** Bytes of the largest body that is read, but for imports. */
  maxBody: number;
  /** Milliseconds to wait for another owner of the file. */
  timeout: number;
  /** Settings that stand before those of the file, for as long as it is served. */
  settings?: Partial<Record<SettingName, string>>;
  /** Whether whoever reaches the server may reset, fill and replace everything. */
  open: boolean;
  /** Whether nothing can be changed. A file is opened without its lock then, and shown as it was at that moment: nothing is written to it, and what was scheduled is not published. */
  readOnly?: boolean;
  /** Whether who holds the calendar in this process may bring it back to its start, where others may not. */
  keepsStart?: boolean;
  /** Who controls the calendar has to bring this. */
  controlToken?: string;
  /** What goes wrong with requests from the start on. */
  faults?: readonly FaultInput[];
  /** Whether the process may end soon, and is this program's own: see the store's options. */
  brief?: boolean;
  /** What health calls that which it was started with. */
  seed?: string;
  /** The clock of the system, in epoch milliseconds. */
  system(): number;
  /** Where the calendar's clock stands still at the start, in epoch milliseconds; absent, it runs with the system's. */
  now?: number;
  /** Opens calendars at other servers, for pull and push. */
  connectTo: ConnectTo;
  /** Puts in what the calendar starts with, before anybody gets another answer than 503. How it is afterwards is what a reset brings back. */
  prepare?(store: Store): Promise<void>;
  /** The page for people; none when absent. */
  page?(): Promise<WebPage>;
  /** Told of every request that was answered. */
  onRequest?(event: RequestEvent): void;
  /** Told what the user should know. */
  notice?(text: string): void;
}

/** What a server does that is told nothing else. */
export const usualServing = {
  host: '127.0.0.1',
  basePath: '',
  namespace,
  headerPrefix: 'X-Calendar',
  durability: 'full',
  maxBody: 1_048_576,
} as const satisfies Partial<ServingOptions>;

/** Without slashes at its ends, as a namespace is kept. */
export const plainNamespace = (text: string): string => text.replace(/^\/+|\/+$/g, '');
/** With one slash at its start and none at its end, as a base path is kept; empty for nothing. */
export const plainBasePath = (text: string): string => text.replace(/^\/*|\/*$/g, '').replace(/^(?=.)/, '/');
