import type { Entry, Input, ResourceName } from '../../src/model/calendar.ts';
import { invalidParams } from '../../src/model/error.ts';

/** Members of an event that the real service resets when an update omits them. */
const resets: Record<string, unknown> = {
  website: '',
  cost: '',
  show_map: false,
  show_map_link: false,
  hide_from_listings: false,
  sticky: false,
  featured: false,
  all_day: false,
  organizer: [],
  status: 'publish',
  date: '2026-11-20 16:00:00',
};

const utcDates = ['utc_start_date', 'utc_start_date_details', 'utc_end_date', 'utc_end_date_details'] as const;

/** The ways in which the real service takes writes, where it differs from a server of this program. */
export class SiteRules {
  /** Dates in UTC of events whose time zone was changed without their dates: the service doesn't compute them again. */
  readonly #utc = new Map<number, Entry>();
  /** Fields whose changes are ignored. */
  ignores: readonly string[] = [];

  /** Returns the input as the service stores it; `before` is the record of an update. Throws for an image that it can't download. */
  stored(name: ResourceName, input: Input, before?: Entry): Input {
    if (typeof input.image === 'string' && input.image !== '') throw invalidParams({ image: { reason: "can't be downloaded" } });
    const { post_password: _, ...stored }: Input = before && name === 'events' ? { ...resets, ...input } : { ...input };
    for (const field of this.ignores) delete stored[field];
    if (!before || name !== 'events') return stored;
    if (!(Number(stored.venue) > 0)) delete stored.venue;
    if (stored.start_date === undefined) {
      delete stored.end_date;
      if (stored.timezone !== undefined)
        this.#utc.set(before.id, Object.fromEntries(utcDates.map((member) => [member, before[member]])) as Entry);
    } else this.#utc.delete(before.id);
    return stored;
  }

  /** Returns a record as the service shows it. */
  shown(name: ResourceName, entry: Entry): Entry {
    return name === 'events' && this.#utc.has(entry.id) ? { ...entry, ...this.#utc.get(entry.id) } : entry;
  }

  /** Returns the response to a new record: without the records that it links to. */
  created(name: ResourceName, entry: Entry): Entry {
    return name === 'events' ? { ...entry, venue: [], organizer: [] } : entry;
  }
}
