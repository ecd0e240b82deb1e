import { type ResourceName, resourceNames } from '../../model/calendar.ts';
import type { RecordMessage } from '../../model/operations/messages.ts';
import { owner } from '../../model/viewer.ts';
import { serverOf } from '../../model/worlds.ts';
import type { Webhooks } from '../../server/webhooks/webhooks.ts';
import { maxChangedRecords } from '../../store/cache/record-feed.ts';
import type { Store } from '../../store/calendar.ts';

/** Sends a webhook for each change of a record. */
export class WebhookFeed {
  /** The statuses of posts, by which a publication is known. */
  #statuses = new Map<string, string>();

  /** `url` is the address that links start with. */
  constructor(
    private readonly store: Store,
    private readonly webhooks: Webhooks,
    private readonly url: string,
  ) {
    this.reset();
  }

  /** Forgets what was sent, and reads the statuses again. */
  reset(): void {
    this.webhooks.reset();
    this.#readStatuses();
  }

  #readStatuses(): void {
    this.#statuses.clear();
    for (const name of resourceNames.filter((each) => this.store.resources[each].family === 'post'))
      for (const { id, status } of this.store.db.all<{ id: number; status: string }>(`select id, status from ${name}`))
        this.#statuses.set(`${name} ${id}`, status);
  }

  /** Sends the changes of one transaction. */
  send(records: readonly RecordMessage[]): void {
    const timestamp = new Date(this.store.requestContext().now).toISOString();
    for (const { resource, id, action } of records) {
      const data = this.#recordOf(resource, id);
      const { kind } = this.store.resources[resource];
      this.webhooks.send({ type: `${kind}.${this.#verb(`${resource} ${id}`, action, data.status)}`, timestamp, data });
    }
  }

  #verb(key: string, action: RecordMessage['action'], status: unknown): string {
    const before = this.#statuses.get(key);
    if (typeof status === 'string') this.#statuses.set(key, status);
    else this.#statuses.delete(key);
    return action === 'updated' && before !== undefined && before !== 'publish' && status === 'publish' ? 'published' : action;
  }

  #recordOf(resource: ResourceName, id: number): Record<string, unknown> {
    const collection = this.store.collection(owner, { home: serverOf(this.url), root: this.url }, resource);
    try {
      return collection.get({ id }) as Record<string, unknown>;
    } catch {
      // A term is gone after its deletion.
      return { id };
    }
  }

  /** Sends the first changes of a transaction of many, and reports that. */
  sendFirst(records: readonly RecordMessage[]): void {
    this.send(records);
    this.webhooks.notice(`More than ${maxChangedRecords} records changed at once: webhooks were sent for the first ${records.length} only`);
    this.#readStatuses();
  }
}
