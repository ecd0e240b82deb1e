import type { Entry, Input, ResourceName } from '../../src/model/calendar.ts';
import { invalidParams } from '../../src/model/error.ts';
import type { Role } from '../../src/model/viewer.ts';

/** A write that reaches the real service. */
interface SiteWrite {
  name: ResourceName;
  input: Input;
  /** The record of an update. */
  before?: Entry;
  role?: Role;
  memory: SiteMemory;
}

/** Memory of a service about its events, by ID. */
interface SiteMemory {
  /** Dates in UTC of those whose time zone was changed without their dates. */
  utc: Map<number, Entry>;
  /** When those were last changed that were new and scheduled. */
  scheduled: Map<number, unknown>;
}

/** A difference of the real service from a server of this program. */
interface SiteRule {
  rule: string;
  /** The recorded exchange that shows it; `trial` if it was seen in a trial with the service, and no exchange depends on it. */
  shownBy: string;
  /** Returns the input as the service stores it. */
  stored?(write: SiteWrite): Input;
  /** Returns a record as the service shows it. */
  shown?(name: ResourceName, entry: Entry, memory: SiteMemory, isNew: boolean): Entry;
}

/** Members of an event that an update resets when it omits them. */
const resets: Input = {
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

const isUpdate = ({ name, before }: SiteWrite): boolean => name === 'events' && before !== undefined;
const without = (input: Input, ...names: string[]): Input =>
  Object.fromEntries(Object.entries(input).filter(([name]) => !names.includes(name)));

/** The differences, in the order in which a write meets them. */
export const siteRules: readonly SiteRule[] = [
  {
    rule: 'an image that it can’t download is refused',
    shownBy: 'events.create.image.url-404',
    stored({ input }) {
      if (typeof input.image === 'string' && input.image !== '') throw invalidParams({ image: { reason: "can't be downloaded" } });
      return input;
    },
  },
  {
    rule: 'an update of an event resets what it omits',
    shownBy: 'events.update.title-only-keeps-others',
    stored: (write) => (isUpdate(write) ? { ...resets, ...write.input } : write.input),
  },
  { rule: 'no password is kept', shownBy: 'dataset.e_password', stored: ({ input }) => without(input, 'post_password') },
  {
    rule: 'what a contributor publishes is pending',
    shownBy: 'events.create.role.contributor-publish',
    stored({ input, role, before }) {
      const { status } = input;
      const isPublic = status === 'publish' || status === 'future' || (!before && status === undefined);
      return role === 'contributor' && isPublic ? { ...input, status: 'pending' } : input;
    },
  },
  {
    rule: 'an update doesn’t remove the venue',
    shownBy: 'events.update.venue-empty-string',
    stored: (write) => (isUpdate(write) && !(Number(write.input.venue) > 0) ? without(write.input, 'venue') : write.input),
  },
  {
    rule: 'without a start, an update changes no date, and a time zone leaves the dates in UTC',
    shownBy: 'events.update.timezone-only',
    stored(write) {
      const { input, before } = write;
      const { utc } = write.memory;
      if (!isUpdate(write)) return input;
      if (input.start_date !== undefined) utc.delete(before!.id);
      else if (input.timezone !== undefined)
        utc.set(before!.id, Object.fromEntries(utcDates.map((name) => [name, before![name]])) as Entry);
      return input.start_date === undefined ? without(input, 'end_date') : input;
    },
    shown: (name, entry, { utc }) => (name === 'events' ? { ...entry, ...utc.get(entry.id) } : entry),
  },
  {
    rule: 'a new scheduled event has its date as the time of its last change, until it is changed',
    shownBy: 'trial',
    shown(name, entry, { scheduled }) {
      if (name !== 'events') return entry;
      if (entry.status === 'future' && !scheduled.has(entry.id)) scheduled.set(entry.id, entry.modified_utc);
      if (scheduled.get(entry.id) !== entry.modified_utc) return entry;
      return { ...entry, modified: entry.date, modified_utc: entry.date_utc };
    },
  },
  {
    rule: 'the response to a new event may lack its venue and organizers',
    shownBy: 'trial',
    shown: (name, entry, _, isNew) => (name === 'events' && isNew ? { ...entry, venue: [], organizer: [] } : entry),
  },
];

/** The ways in which the real service takes writes and shows records, where it differs from a server of this program. */
export class SiteRules {
  readonly #memory: SiteMemory = { utc: new Map(), scheduled: new Map() };
  /** Fields whose changes are ignored. */
  ignores: readonly string[] = [];

  /** Returns the input as the service stores it; `before` is the record of an update. Throws for what it refuses. */
  stored(name: ResourceName, input: Input, before?: Entry, role?: Role): Input {
    const stored = siteRules.reduce(
      (each, rule) => rule.stored?.({ name, input: each, before, role, memory: this.#memory }) ?? each,
      input,
    );
    return without(stored, ...this.ignores);
  }

  /** Returns a record as the service shows it, also in the response that creates it. */
  shown(name: ResourceName, entry: Entry, isNew = false): Entry {
    return siteRules.reduce((each, rule) => rule.shown?.(name, each, this.#memory, isNew) ?? each, entry);
  }

  reset(): void {
    for (const each of Object.values(this.#memory)) each.clear();
    this.ignores = [];
  }
}
