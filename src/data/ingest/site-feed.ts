import { isLoopback } from '../../model/addresses.ts';
import type { Entry } from '../../model/calendar.ts';
import { siteUidIn } from '../../model/ical/event.ts';
import type { IcalSurvey } from '../../model/ical/read.ts';
import type { ReadEvent } from '../../model/ical/read-event.ts';
import { endOfDay, startOfDay } from '../../model/time/datetime.ts';
import { hostIn, SiteState } from '../../store/identity/sites.ts';
import { isSameName } from './identity.ts';
import type { ImportJob } from './options.ts';

/** The event that a UID of a site stands for. */
interface SiteEvent {
  /** Its ID in this calendar; undefined for a new one. */
  id?: number | undefined;
  /** The host of the site if this calendar is a copy of it. */
  copyOf?: string;
}

const hostOf = (host: string): string => (isLoopback(host) ? 'localhost' : host.replace(/^www\./, ''));

/** Finds the events of a site's feed in a calendar by ID and host: the times in a UID change with the event. */
export class SiteFeed {
  /** True if the file says that it is the feed of a site. */
  readonly isSite: boolean;
  /** True for the feed of a site that leaves out parts of events. */
  readonly isLossy: boolean;
  readonly #copied = new Map<string, number>();
  readonly #original: URL | undefined;
  #sites: readonly string[] | undefined;

  constructor(
    private readonly job: ImportJob,
    private readonly survey: IcalSurvey,
  ) {
    this.#original = URL.canParse(survey.original) ? new URL(survey.original) : undefined;
    this.isSite = this.#original !== undefined;
    this.isLossy = this.isSite && !survey.isOwn;
  }

  /** The event of a UID; undefined if it is not that of a site, or if the file has several events of its ID. */
  find(event: ReadEvent): SiteEvent | undefined {
    const uid = siteUidIn(event.uid);
    if (!uid || this.survey.siteIds.get(`${uid.id}@${uid.host}`) !== event.uid) return undefined;
    const { local, db } = this.job;
    const host = hostOf(uid.host);
    this.#sites ??= SiteState.named(db);
    const site = this.#sites.find((each) => this.#isAt(each, host));
    const pair = site === undefined ? undefined : new SiteState(db, site).localOf('events', uid.id);
    // Several servers on a loopback address have the same hosts and IDs.
    const isSame = (id: number | undefined): id is number => {
      const entry: Entry | undefined = id === undefined ? undefined : local.entry('events', id);
      return entry !== undefined && (host !== 'localhost' || isSameName('events', entry, event as unknown as Entry));
    };
    if (site !== undefined && (host !== 'localhost' || isSame(pair))) return { id: pair, copyOf: hostIn(site) };
    const own = hostOf(new URL(this.job.home).hostname) === host && this.#isOwn(uid.id, event) ? uid.id : undefined;
    const exact = local.idBy('events', 'uid', event.uid);
    return { id: exact ?? [own, ...this.#imported(uid.id, host), this.#global(uid.id)].find(isSame) };
  }

  /** True for the key of a site at the address of the feed, or at its host if the file doesn't say which site it is of. */
  #isAt(key: string, host: string): boolean {
    const start = this.#original ? `${hostOf(this.#original.hostname)}${this.#original.port && `:${this.#original.port}`}` : host;
    const path = this.#original?.pathname.replace(/(?<!\/)\/+$/, '') ?? '';
    return this.#original ? key.startsWith(`${start}${path}/`) : hostIn(key).replace(/:\d+$/, '') === start;
  }

  /** True for an event of this calendar itself: it has the slug in the address of the page, and the UID of no site. */
  #isOwn(id: number, { website = '' }: ReadEvent): boolean {
    const own = this.job.local.source('events', id);
    const start = `/${this.job.local.settings.slugs.event}/`;
    const at = website.lastIndexOf(start);
    const slug = at < 0 ? undefined : website.slice(at + start.length).split('/')[0];
    return own !== undefined && !siteUidIn(String(own.uid)) && (slug === undefined || slug === own.slug);
  }

  /** The IDs of the events that an earlier import of the site's feed made. */
  #imported(id: number, host: string): number[] {
    // '.' follows '-' in the order of characters.
    return this.job.db
      .all<{ id: number; uid: string }>('select id, uid from events where uid > ? and uid < ?', `${id}-`, `${id}.`)
      .filter(({ uid }) => siteUidIn(uid)?.id === id && hostOf(siteUidIn(uid)!.host) === host)
      .map((each) => each.id);
  }

  /** The ID of the event that was imported from a response of the site. */
  #global(id: number): number | undefined {
    return this.#original && this.job.local.idBy('events', 'uid', `${this.#original.href.replace(/^\w+:\/\/|(?<!\/)\/+$/g, '')}?id=${id}`);
  }

  /** Counts an event of a site that this calendar is a copy of. */
  left(host: string): void {
    this.#copied.set(host, (this.#copied.get(host) ?? 0) + 1);
  }

  /** Says which events were left as they are. */
  finish(): void {
    for (const [host, count] of this.#copied) {
      const events = count === 1 ? '1 event' : `${count} events`;
      this.job.summary.notes.push({
        at: this.job.source.name,
        reason: `${events} of ${host}, which this file copies. Update them with: calendar pull`,
      });
    }
  }

  /** An event without what the feed of a site can't say: days are times there, and the time zone of days is that of the calendar. */
  asKept(event: ReadEvent, { all_day, timezone }: Entry): ReadEvent {
    if (!this.isLossy || all_day !== true) return event;
    const { start_date, end_date } = event;
    const isOfDays = event.all_day || (startOfDay(start_date) === start_date && /(?:23:59:\d\d|00:00:00)$/.test(end_date));
    return isOfDays ? { ...event, all_day: true, timezone: String(timezone), end_date: endOfDay(end_date) } : event;
  }
}

/** True if two addresses of this calendar, ports apart, are the same page or file. */
export function isSameAddress(one: string, other: string): boolean {
  if (one === other) return true;
  const [a, b] = [one, other].map((address) => (URL.canParse(address) ? new URL(address) : undefined));
  return a !== undefined && b !== undefined && hostOf(a.hostname) === hostOf(b.hostname) && a.pathname + a.search === b.pathname + b.search;
}
