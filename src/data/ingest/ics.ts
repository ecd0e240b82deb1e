import type { Entry, Input } from '../../model/calendar.ts';
import { decodeChunks } from '../../model/formats/decode.ts';
import { asHtml, encodeEntities } from '../../model/html/plain-text.ts';
import { cleanHtml } from '../../model/html/render.ts';
import { unrenderContent } from '../../model/html/unrender.ts';
import { type IcalEvent, icalEvent, locationOf } from '../../model/ical/event.ts';
import { readIcal, surveyIcal } from '../../model/ical/read.ts';
import type { ReadEvent } from '../../model/ical/read-event.ts';
import { slugOf } from '../../model/slug.ts';
import { type Decision, type ExistingRecord, Ingest } from './ingest.ts';
import { NameIndex } from './name-index.ts';
import type { ImportJob } from './options.ts';

/** Imports iCalendar, an event at a time. The file is read twice: once for its zones and exceptions to recurrences, once for its events. */
export function importIcs(job: ImportJob): void {
  const { source, summary, options, zone, window, strict } = job;
  const text = () => decodeChunks(source.chunks(), options.encoding);
  const survey = surveyIcal(text());
  summary.problems.push(...survey.problems);
  const events = new Events(job);
  for (const found of readIcal(text(), survey, { floating: options.tz, zone, window, strict })) {
    const at = `line ${found.line}`;
    if ('superseded' in found) summary.skip('events', found.title, at, `line ${found.superseded} has a later revision of it`);
    else if (!found.events.length && found.problems.length) summary.refuse('events', found.title, found.problems);
    else {
      summary.problems.push(...found.problems);
      for (const event of found.events) events.add(event, at);
    }
  }
}

/** Creates, updates and deletes the events of a file. */
class Events {
  readonly #venues: NameIndex;
  readonly #organizers: NameIndex;
  readonly #ingest: Ingest;

  constructor(private readonly job: ImportJob) {
    this.#venues = new NameIndex(job.local, 'venues');
    this.#organizers = new NameIndex(job.local, 'organizers');
    this.#ingest = new Ingest(job.local, job.summary, 'file');
  }

  /** Writes one event; `at` is its place in the file. */
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
        const decision = decisionOn(event, before);
        if (decision) return { decision };
        return before ? this.#changes(event, before) : { ...this.#inputOf(event), ...uid };
      },
    });
  }

  #inputOf(event: ReadEvent): Input {
    const { local } = this.job;
    const slug = slugOf(event.title);
    const isUsed = slug !== '' && local.idBy('events', 'slug', slug) !== undefined;
    return {
      ...this.#texts(event),
      ...dates(event),
      ...this.#links(event),
      status: event.status,
      ...(event.website ? { website: event.website } : {}),
      ...(event.cost ? { cost: costFrom(event.cost) } : {}),
      ...(event.image ? { image: event.image } : {}),
      ...(event.places.length ? { show_map: true, show_map_link: true } : {}),
      // Events of one name are told apart by their day.
      ...(isUsed ? { slug: `${slug}-${event.start_date.slice(0, 10)}` } : {}),
      ...(event.sequence ? { sequence: event.sequence } : {}),
    };
  }

  /** The fields of an existing event that differ in the file; fields that the file leaves out stay. */
  #changes(event: ReadEvent, before: ExistingRecord): Input {
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
    if (differs('cost')) input.cost = costFrom(event.cost!);
    if (differs('image')) input.image = event.image;
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
    return {
      ...(event.places.length ? { venue: event.places.map((place, at) => this.#venue(place, at ? undefined : event.geo)) } : {}),
      ...(event.contacts ? { organizer: event.contacts.map(({ name, email }) => this.#organizer(name, email)) } : {}),
      ...(event.categories ? { categories: event.categories } : {}),
      ...(event.tags ? { tags: event.tags } : {}),
    };
  }

  /** The ID of the venue with this line or name; a new one when another place has its name. */
  #venue({ name, line }: ReadEvent['places'][number], geo: ReadEvent['geo']): number {
    const known = this.#venues.find(line);
    if (known !== undefined) return known;
    const first = name || line.split(', ', 1)[0]!;
    const at = geo ? { geo_lat: geo[0], geo_lng: geo[1] } : {};
    const free = this.#venues.find(first) === undefined;
    const address = line.startsWith(`${first}, `) ? line.slice(first.length + 2) : '';
    const input = free ? { venue: encodeEntities(first), ...(address ? { address } : {}), ...at } : { venue: encodeEntities(line), ...at };
    return this.#venues.add(input, line, free ? first : '');
  }

  #organizer(name: string, email: string): number {
    const known = this.#organizers.find(name) ?? (email ? this.#organizers.find(email) : undefined);
    return known ?? this.#organizers.add({ organizer: encodeEntities(name), ...(email ? { email } : {}) }, name, email);
  }
}

/** Events in the trash stay there, cancelled ones go there, and older revisions are skipped. */
function decisionOn({ status, sequence }: ReadEvent, before: ExistingRecord | undefined): Decision | undefined {
  const skip = (reason: string): Decision => ({ outcome: 'skipped', reason });
  if (before?.status === 'trash') return skip('it is in the trash of this calendar');
  if (!before) return status === 'trash' ? skip('it is cancelled') : undefined;
  const revision = Number(before.sequence ?? 0);
  if (sequence < revision) return skip(`it is revision ${sequence}; this calendar has revision ${revision}`);
  return status === 'trash' ? { outcome: 'deleted' } : undefined;
}

const dates = ({ timezone, all_day, start_date, end_date }: ReadEvent): Input => ({ timezone, all_day, start_date, end_date });

/** A formatted cost as the input that gives it: a range as its two ends. */
function costFrom(shown: string): string | string[] {
  const [least, most, ...more] = shown.split(' – ');
  if (most === undefined || more.length) return shown;
  return [least === 'Free' ? most.replace(/[\d.,]+/, '0') : least!, most];
}
