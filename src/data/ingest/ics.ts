import type { Entry, Input } from '../../model/calendar.ts';
import { formatCost } from '../../model/fields/cost-format.ts';
import { slugOf } from '../../model/fields/slug.ts';
import { changedCost, typedCost } from '../../model/fields/typed-cost.ts';
import { decodeChunks } from '../../model/formats/decode.ts';
import { asHtml, encodeEntities, htmlToLine } from '../../model/html/plain-text.ts';
import { unrenderContent } from '../../model/html/render.ts';
import { type Contact, type IcalEvent, icalEvent, locationOf, safeHtml } from '../../model/ical/event.ts';
import { occurrenceOf } from '../../model/ical/occurrence.ts';
import { readIcal, surveyIcal } from '../../model/ical/read.ts';
import { noTitle, type ReadEvent } from '../../model/ical/read-event.ts';
import { type Decision, type ExistingRecord, Ingest } from './ingest.ts';
import { LinkedRecords } from './linked-records.ts';
import type { ImportJob } from './options.ts';
import { isSameAddress, SiteFeed } from './site-feed.ts';

/** Imports iCalendar event by event. Reads the file twice: for time zones and exceptions to recurrences, then for events. */
export function importIcs(job: ImportJob): void {
  const { source, summary, options, zone, window, strict } = job;
  const text = () => decodeChunks(source.chunks(), options.encoding);
  const survey = surveyIcal(text());
  summary.problems.push(...survey.problems);
  const feed = new SiteFeed(job, survey);
  const events = new Events(job, feed);
  for (const item of readIcal(text(), survey, { floating: options.tz, zone, window, strict })) {
    const at = `line ${item.line}`;
    if ('superseded' in item) summary.skip('events', item.title, at, `line ${item.superseded} contains a later revision`);
    else if (!item.events.length && item.problems.length) summary.reject('events', item.title, item.problems);
    else {
      summary.problems.push(...item.problems);
      for (const event of item.events) events.add(event, at);
      const first = occurrenceOf(item.events[0]?.uid);
      if (item.series && first) job.local.series.set({ uid: first.series, ...item.series, ...window });
    }
  }
  feed.finish();
  for (const tzid of survey.clocks.replaced)
    summary.notes.push({ at: source.name, reason: `unknown time zone ${JSON.stringify(tzid)}; used ${options.tz}` });
  summary.count('events in the zone of --tz', survey.clocks.fallbackLines.size);
}

/** The resources that events of a file name. */
const linked = ['venues', 'organizers', 'categories', 'tags'] as const;

/** Writes the events of a file. */
class Events {
  readonly #records: Record<(typeof linked)[number], LinkedRecords>;
  readonly #ingest: Ingest;

  constructor(
    private readonly job: ImportJob,
    private readonly feed: SiteFeed,
  ) {
    const records = linked.map((name) => [name, new LinkedRecords(job.local, name, job.summary)]);
    this.#records = Object.fromEntries(records) as Record<(typeof linked)[number], LinkedRecords>;
    this.#ingest = new Ingest(job.local, job.summary, 'file');
  }

  /** Writes one event. `at` is its position in the file. */
  add(event: ReadEvent, at: string): void {
    const { title, start_date, timezone } = event;
    const text = event.uid.replace(/[\p{Cc}\p{Cs}]+/gu, ' ');
    const uid = text ? { uid: text } : {};
    const ofSite = this.feed.find(event);
    if (ofSite?.copyOf !== undefined) this.feed.left(ofSite.copyOf);
    this.#ingest.add({
      name: 'events',
      at,
      ...(ofSite?.id === undefined ? {} : { id: ofSite.id }),
      label: title,
      identity: { title, start_date, timezone, venue: locationOf(event.places), ...uid },
      inputFor: (before) => {
        if (ofSite?.copyOf !== undefined) return { decision: { outcome: before ? 'unchanged' : 'skipped' } };
        const decision = decide(event, before);
        if (decision) return { decision };
        return before ? this.#changes(event, before, at) : Object.assign(this.#inputOf(event, at), uid);
      },
    });
  }

  #inputOf(event: ReadEvent, at: string): Input {
    const { local } = this.job;
    const slug = slugOf(event.title);
    const isUsed = slug !== '' && local.idBy('events', 'slug', slug) !== undefined;
    const hasPlace = event.places.length > 0 || undefined;
    const input: Input = {
      status: event.status,
      // In the feed of a site, the URL is the page of the event.
      website: (!this.feed.isSite && event.website) || undefined,
      cost: event.cost ? this.#cost(event, at) : undefined,
      image: event.image || undefined,
      hide_from_listings: event.hidden || undefined,
      show_map: hasPlace,
      show_map_link: hasPlace,
      // The day distinguishes events with the same title.
      slug: isUsed ? `${slug}-${event.start_date.slice(0, 10)}` : undefined,
      sequence: event.sequence || undefined,
    };
    return Object.assign(input, this.#texts(event), dates(event), this.#links(event, at));
  }

  /** The prices of an event. A text that the API would change is noted, and stored as it is if it has no prices. */
  #cost({ cost = '', prices }: ReadEvent, at: string): string[] {
    const { currency } = this.job.request;
    if (prices && htmlToLine(formatCost(prices, currency)) === cost) return prices;
    const { list, reason } = typedCost(cost);
    const stored = list.length ? list : [cost];
    const note = changedCost(cost, stored, { reason }, currency);
    if (note) this.job.summary.notes.push({ at, reason: `cost ${note}` });
    return stored;
  }

  /** The fields of an existing event that differ in the file. Fields missing from the file stay. */
  #changes(incoming: ReadEvent, before: ExistingRecord, at: string): Input {
    const { isSite, isLossy } = this.feed;
    const entry: Entry = this.job.local.events.get({ id: before.id }, { context: 'edit', _uid: '1' });
    const now = icalEvent(entry);
    const event = this.feed.asKept(incoming, entry);
    const input: Input = event.sequence === Number(before.sequence ?? 0) ? {} : { sequence: event.sequence };
    const differs = (name: keyof IcalEvent & keyof ReadEvent) =>
      event[name] !== undefined && JSON.stringify(event[name]) !== JSON.stringify(now[name]);
    const texts = this.#texts(event);
    if (event.title !== (now.title || noTitle)) input.title = texts.title;
    if ((!isLossy && differs('description')) || (event.html && safeHtml(event.html) !== safeHtml(now.html)))
      input.description = texts.description;
    if ((['timezone', 'all_day', 'start_date', 'end_date'] as const).some(differs)) Object.assign(input, dates(event));
    const isPage = isSite || event.website === undefined || [now.website, now.url].some((url) => isSameAddress(event.website!, url));
    if (!isPage) input.website = event.website;
    if (differs('cost') || differs('prices')) input.cost = this.#cost(event, at);
    if (event.image !== undefined && !isSameAddress(event.image, now.image)) input.image = event.image;
    if (differs('hidden')) input.hide_from_listings = event.hidden;
    if (differs('status') && !(event.status === 'publish' && entry.status === 'future')) input.status = event.status;
    const links = this.#links(isLossy ? { ...event, places: [], contacts: undefined } : event, at, before);
    const same = (one: readonly string[] | undefined, other: readonly string[]) =>
      one === undefined || [...one].sort().join('\n') === [...other].sort().join('\n');
    if (!isLossy && locationOf(event.places) !== locationOf(now.places)) input.venue = links.venue ?? 0;
    if (!isLossy && !same(event.contacts?.flatMap(contactKey), now.contacts.flatMap(contactKey))) input.organizer = links.organizer;
    if (!same(event.categories, now.categories)) input.categories = links.categories;
    if (!same(event.tags, now.tags)) input.tags = links.tags;
    return input;
  }

  #texts(event: ReadEvent): { title: string; description: string } {
    const description = event.html ? unrenderContent(safeHtml(event.html)) : asHtml(event.description);
    return { title: encodeEntities(event.title), description };
  }

  /** The links of an event. A record that the event has stays linked if the file describes it. */
  #links({ places, contacts, categories, tags, geo }: ReadEvent, at: string, before: Input = {}): Input {
    const own = (field: string) => [before[field] ?? []].flat() as number[];
    const terms = (to: 'categories' | 'tags', names?: readonly string[]) =>
      names && [...new Set(names.map((name) => this.#records[to].idNamed(name, { at, linked: own(to) })))];
    return {
      venue: places.length
        ? places.map((place, i) => this.#venue(place, { at, linked: own('venue'), geo: i ? undefined : geo }))
        : undefined,
      organizer: contacts?.map((contact) => this.#organizer(contact, { at, linked: own('organizer') })),
      categories: terms('categories', categories),
      tags: terms('tags', tags),
    };
  }

  /** The ID of the venue with this name and address, or with this name if the file has no address. Creates unknown venues. */
  #venue({ name, line }: ReadEvent['places'][number], { at, linked, geo }: Linking & { geo?: ReadEvent['geo'] }): number {
    const venues = this.#records.venues;
    const first = name || line.split(', ', 1)[0]!;
    const address = line.startsWith(`${first}, `) ? line.slice(first.length + 2) : '';
    const existing = venues.idWith(line, { linked }) ?? venues.find(line) ?? (address === '' ? venues.find(first) : undefined);
    if (existing !== undefined) return existing;
    const position = geo ? { geo_lat: geo[0], geo_lng: geo[1] } : {};
    const input = { venue: encodeEntities(first), ...(address ? { address } : {}), ...position };
    return venues.add(input, { at, name: first, also: line });
  }

  /** The ID of the organizer with this name and address. Creates unknown organizers. */
  #organizer({ name, email }: Contact, { at, linked }: Linking): number {
    const organizers = this.#records.organizers;
    const existing = organizers.idWith(email, { linked, name }) ?? (name === email ? organizers.find(email) : undefined);
    return existing ?? organizers.add({ organizer: encodeEntities(name), ...(email ? { email } : {}) }, { at, name, also: email });
  }
}

/** Where an event names a record, and the records that it has. */
interface Linking {
  at: string;
  linked: readonly number[];
}

/** Empty for a contact without a name and address, which a file leaves out. */
const contactKey = ({ name, email }: Contact): string[] => (name || email ? [`${name || email} <${email}>`] : []);

/** Keeps events in the trash there, moves cancelled events to the trash, and skips older revisions. */
function decide({ status, sequence }: ReadEvent, before: ExistingRecord | undefined): Decision | undefined {
  const skip = (reason: string): Decision => ({ outcome: 'skipped', reason });
  if (before?.status === 'trash') return skip('the event is in the trash of this calendar');
  if (!before) return status === 'trash' ? skip('the event is cancelled') : undefined;
  const revision = Number(before.sequence ?? 0);
  if (sequence < revision) return skip(`revision ${sequence} is older than revision ${revision} in this calendar`);
  return status === 'trash' ? { outcome: 'deleted' } : undefined;
}

const dates = ({ timezone, all_day, start_date, end_date }: ReadEvent): Input => ({ timezone, all_day, start_date, end_date });
