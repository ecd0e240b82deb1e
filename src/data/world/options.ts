import type { Extension } from '../../model/context.ts';
import type { FaultInput } from '../../model/operations/faults.ts';
import type { JournalBudget } from '../../server/journal/journal-budget.ts';
import type { Durability } from '../../store/file/sql.ts';
import type { SettingName } from '../../store/records/settings.ts';
import type { SnapshotMemory, StoreImage } from '../../store/snapshots.ts';

export interface WorldOptions {
  /** Path of the file; in memory by default. */
  file?: string;
  /** The state that a calendar in memory starts with; empty by default. */
  image?: StoreImage;
  /** With a slash at its start and none at its end; empty for none. */
  basePath: string;
  /** Without slashes at its ends. */
  namespace: string;
  durability: Durability;
  /** Time to wait for another owner of the file, in ms. */
  timeout: number;
  /** Settings that override those of the file while it is open. */
  settings?: Partial<Record<SettingName, string>>;
  /** Parts of the service to turn off. */
  without?: readonly Extension[];
  /** True to reject changes. A file is then opened without its lock and shown as it was at that moment: nothing is written, and scheduled events are not published. */
  readOnly?: boolean;
  /** Faults that are active from the start, and after each reset. */
  faults?: readonly FaultInput[];
  /** Number of requests that the journal keeps (default 5,000). */
  journal?: number;
  /** The memory that its journal shares with others. */
  journalBudget?: JournalBudget;
  /** The memory that its snapshots share with others. */
  snapshotMemory?: SnapshotMemory;
  /** Returns the time of the system, in epoch milliseconds. */
  system(): number;
  /** Where the clock of the calendar is stopped at the start, in epoch milliseconds; it runs by default. */
  now?: number;
  /** Called with messages for the user. */
  notice?(text: string): void;
}
