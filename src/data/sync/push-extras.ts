import type { Entry, ResourceName } from '../../model/calendar.ts';
import { type Extra, unknownMembers } from '../../model/fields/extra.ts';
import type { ConflictSide } from '../../model/operations/sync.ts';
import type { LocalCalendar } from '../../store/calendar.ts';
import type { SyncedRecord, SyncState } from '../../store/identity/sync-state.ts';
import type { ConflictSink } from '../ingest/record-copy.ts';
import type { Summary } from '../summary.ts';
import { labelOf } from '../transaction.ts';
import { isExtraChanged, ownExtra } from './extra-change.ts';
import { isEqual } from './forms.ts';
import type { RemoteCalendar } from './remote.ts';

/** Members of other sites that were changed here since a pair agreed. */
export interface ExtraChange {
  row: SyncedRecord;
  extra: Extra;
  /** The record in a list of the site. */
  entry: Entry;
  /** The members in that list. */
  listed: Record<string, unknown>;
}

interface PushedExtrasOptions {
  dryRun?: boolean;
  prefer?: ConflictSide;
  /** Runs work in a transaction; not in a dry run. */
  write(work: () => void): Promise<void>;
}

/** Sends changes of members that this program doesn't know. Only servers of this program take them. */
export class PushedExtras {
  constructor(
    private readonly local: LocalCalendar,
    private readonly state: SyncState,
    private readonly conflicts: ConflictSink,
    private readonly remote: RemoteCalendar,
    private readonly summary: Summary,
    private readonly options: PushedExtrasOptions,
  ) {}

  /** Returns what was changed here; undefined for nothing, and for what the site has too. */
  changeOf(name: ResourceName, id: number, entry: Entry): ExtraChange | undefined {
    const row = this.state.ofRemote(name, entry.id);
    if (row?.local !== id) return undefined;
    const extra = this.#extraOf(name, id);
    const listed = unknownMembers(this.local.resources[name], entry);
    return isExtraChanged(extra, row) ? { row, extra, entry, listed } : undefined;
  }

  /** Remembers what a new record of the site was created with. Must be in a transaction. */
  created(name: ResourceName, remote: number): void {
    const row = this.state.ofRemote(name, remote);
    if (row) this.#store(name, row, this.#extraOf(name, row.local));
  }

  #extraOf(name: ResourceName, id: number): Extra {
    return (this.local.source(name, id)?.extra ?? {}) as Extra;
  }

  #store(name: ResourceName, row: SyncedRecord, extra: Extra): void {
    const localBase = { ...row.localBase, extra: ownExtra(extra) };
    this.state.set(name, { ...row, localBase, remoteBase: { ...row.remoteBase, extra: extra.list ?? {} } });
  }

  /** Sends a change. `isCounted` is true if the record is in the summary already. */
  async push(name: ResourceName, local: Entry, change: ExtraChange, isCounted: boolean): Promise<void> {
    const { row, extra, entry, listed } = change;
    const { dryRun, prefer, write } = this.options;
    const label = labelOf(name, local);
    const base = (row.remoteBase?.extra ?? {}) as Record<string, unknown>;
    if (!(await this.remote.isOurs())) {
      this.summary.problems.push({ at: `${name} ${local.id} (${label})`, reason: `not accepted: ${changed(extra, row).join(', ')}` });
      if (!isCounted) this.summary.add('unchanged', name, label, local.id);
      return;
    }
    if (prefer !== 'ours' && !isEqual(listed, base) && !isEqual(listed, extra.list ?? {})) {
      const fields = { extra: { base, local: extra.list, remote: listed } };
      await write(() => this.conflicts.add({ name, label, remote: row.remote, local: local.id, kind: 'edited', fields, entry }));
      return;
    }
    if (!dryRun) {
      const { uid = '' } = this.local.source(name, local.id)!;
      await this.remote.calendar[name].update({ id: row.remote }, { uid, extra: ownExtra(extra) });
      await write(() => this.#store(name, this.state.ofRemote(name, row.remote)!, extra));
    }
    if (!isCounted) this.summary.add('updated', name, label, local.id);
  }
}

/** Returns the names of members that differ from those when the pair agreed. */
function changed(now: Extra, { localBase, remoteBase }: SyncedRecord): string[] {
  const base = (localBase?.extra ?? { list: remoteBase?.extra, single: now.single }) as Extra;
  const names = (['list', 'single'] as const).flatMap((form) => {
    const [before = {}, after = {}] = [base[form], now[form]];
    return [...Object.keys(before), ...Object.keys(after)].filter((name) => !isEqual(before[name], after[name]));
  });
  return [...new Set(names)];
}
