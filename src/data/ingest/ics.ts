import type { Entry, Input } from '../../model/calendar.ts';
import { quoted } from '../../model/fields/coerce.ts';
import { slugOf } from '../../model/fields/slug.ts';
import { typedCost } from '../../model/fields/typed-cost.ts';
import { decodeChunks } from '../../model/formats/decode.ts';
import { asHtml, encodeEntities } from '../../model/html/plain-text.ts';
import { unrenderContent } from '../../model/html/render.ts';
import { cleanHtml } from '../../model/html/sanitize.ts';
import { type IcalEvent, icalEvent, locationOf } from '../../model/ical/event.ts';
import { occurrenceOf } from '../../model/ical/occurrence.ts';
import { readIcal, surveyIcal } from '../../model/ical/read.ts';
import type { ReadEvent } from '../../model/ical/read-event.ts';
import { NameIndex } from './identity.ts';
import { type Decision, type ExistingRecord, Ingest } from './ingest.ts';
import type { ImportJob } from './options.ts';

/** Imports iCalendar event by event. Reads the file twice: for time zones and exceptions to recurrences, then for events. */
export function importIcs(job: ImportJob): void {
  const { source, summary, options, zone, window, strict } = job;
  const text = () => decodeChunks(source.chunks(), options.encoding);
  const survey = surveyIcal(text());
  summary.problems.push(...survey.problems);
  const events = new Events(job);
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
  for (const tzid of survey.clocks.replaced)
    summary.notes.push({ at: source.name, reason: `unknown time zone ${JSON.stringify(tzid)}; used ${options.tz}` });
  summary.count('events in the zone of --tz', survey.clocks.fallbackLines.size);
}

/** Writes the events of a file. */
class Events {
  readonly #venues: NameIndex;
  readonly #organizers: NameIndex;
  readonly #ingest: Ingest;

  constructor(private readonly job: ImportJob) {
    this.#venues = new NameIndex(job.local, 'venues', job.summary);
    this.#organizers = new NameIndex(job.local, 'organizers', job.summary);
    this.#ingest = new Ingest(job.local, job.summary, 'file');
  }

  /** Writes one event. `at` is its position in the file. */
  add(event: ReadEvent, at: string): void {
    const { title, start_date, timezone } = event;
    const text = event.uid.replace(/[\p{Cc}\p{Cs}]+/gu, ' ');
    const uid = text ? { uid: text } : {};
    this.#ingest.add({
      name: 'events',
      at,
      label: title,
      identity: { title, start_date, timezone, venue: locationOf(event.places), ...uid },
      inputFor: (before) => {
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
      website: event.website || undefined,
      cost: event.cost ? this.#cost(event, at) : undefined,
      image: event.image || undefined,
      hide_from_listings: event.hidden || undefined,
      show_map: hasPlace,
      show_map_link: hasPlace,
      // The day distinguishes events with the same title.
      slug: isUsed ? `${slug}-${event.start_date.slice(0, 10)}` : undefined,
      sequence: event.sequence || undefined,
    };
    return Object.assign(input, this.#texts(event), dates(event), this.#links(event));
  }

  /** Returns the prices of an event. A text that the API would change is noted, and stored as it is if it has no prices. */
  #cost({ cost = '' }: ReadEvent, at: string): string[] {
    const { list, reason } = typedCost(cost);
    const stored = list.length ? list : [cost];
    if (reason) this.job.summary.notes.push({ at, reason: `cost ${quoted(cost)} ${reason}; stored ${stored.map(quoted).join(' and ')}` });
    return stored;
  }

  /** Returns the fields of an existing event that differ in the file. Fields missing from the file stay. */
  #changes(event: ReadEvent, before: ExistingRecord, at: string): Input {
    const entry: Entry = this.job.local.events.get({ id: before.id }, { context: 'edit' });
    const now = icalEvent(entry);
    const input: Input = event.sequence === Number(before.sequence ?? 0) ? {} : { sequence: event.sequence };
    const differs = (name: keyof IcalEvent & keyof ReadEvent) =>
      event[name] !== undefined && JSON.stringify(event[name]) !== JSON.stringify(now[name]);
    const texts = this.#texts(event);
    if (differs('title')) input.title = texts.title;
    if (differs('description')) input.description = texts.description;
    if ((['timezone', 'all_day', 'start_date', 'end_date'] as const).some(differs)) Object.assign(input, dates(event));
    if (event.website !== undefined && event.website !== now.website && event.website !== now.url) input.website = event.website;
    if (differs('cost')) input.cost = this.#cost(event, at);
    if (differs('image')) input.image = event.image;
    if (differs('hidden')) input.hide_from_listings = event.hidden;
    if (differs('status') && !(event.status === 'publish' && entry.status === 'future')) input.status = event.status;
    const links = this.#links(event);
    const same = (one: readonly string[] | undefined, other: readonly string[]) =>
      one === undefined || [...one].sort().join('\n') === [...other].sort().join('\n');
    if (locationOf(event.places) !== locationOf(now.places)) input.venue = links.venue ?? 0;
    if (
      !same(
        event.contacts?.map(({ name }) => name),
        now.contacts.map(({ name }) => name),
      )
    )
      input.organizer = links.organizer;
    if (!same(event.categories, now.categories)) input.categories = links.categories;
    if (!same(event.tags, now.tags)) input.tags = links.tags;
    return input;
  }

  #texts(event: ReadEvent): { title: string; description: string } {
    const description = event.html ? unrenderContent(cleanHtml(event.html, false)) : asHtml(event.description);
    return { title: encodeEntities(event.title), description };
  }

  #links(event: ReadEvent): Input {
    const { places, contacts, categories, tags, geo } = event;
    return {
      venue: places.length ? places.map((place, at) => this.#venue(place, at ? undefined : geo)) : undefined,
      organizer: contacts?.map(({ name, email }) => this.#organizer(name, email)),
      categories,
      tags,
    };
  }

  /** Returns the ID of the venue with this location or name. Creates a venue if its name belongs to another place. */
  #venue({ name, line }: ReadEvent['places'][number], geo: ReadEvent['geo']): number {
    const venue = this.#venues.find(line);
    if (venue !== undefined) return venue;
    const first = name || line.split(', ', 1)[0]!;
    const at = geo ? { geo_lat: geo[0], geo_lng: geo[1] } : {};
    const free = this.#venues.find(first) === undefined;
    const address = line.startsWith(`${first}, `) ? line.slice(first.length + 2) : '';
    const input = free ? { venue: encodeEntities(first), ...(address ? { address } : {}), ...at } : { venue: encodeEntities(line), ...at };
    return this.#venues.add(input, line, free ? first : '');
  }

  #organizer(name: string, email: string): number {
    const organizer = this.#organizers.find(name) ?? (email ? this.#organizers.find(email) : undefined);
    return organizer ?? this.#organizers.add({ organizer: encodeEntities(name), ...(email ? { email } : {}) }, name, email);
  }
}

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
