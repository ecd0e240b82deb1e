import { cleanHtml } from '../../model/html.ts';
import { type IcalEvent, icalEvent, locationOf } from '../../model/ical-event.ts';
import { readIcal, surveyIcal } from '../../model/ical-read.ts';
import type { ReadEvent } from '../../model/ical-said.ts';
import { asHtml, encoded } from '../../model/plain.ts';
import type { Entry, Input } from '../../model/resource.ts';
import { slugOf } from '../../model/slug.ts';
import { decodeChunks } from '../../model/text-source.ts';
import { unrenderContent } from '../../model/unrender.ts';
import { Directory } from './directory.ts';
import type { Import } from './intake.ts';
import { bringUpToDate } from './plant.ts';
import { problemsOf } from './transaction.ts';

/** Takes iCalendar in, an event at a time. The file is read twice: once for its zones and for exceptions to recurrences, once for its events. */
export function takeCalendar(work: Import): void {
  const { spool, problems, options, zone, done } = work;
  const text = () => decodeChunks(spool.chunks(), options.encoding);
  const survey = surveyIcal(text());
  problems.push(...survey.problems);
  const agenda = new Agenda(work);
  let count = 0;
  for (const found of readIcal(text(), survey, { floating: options.tz, zone, window: options.window, strict: options.strict })) {
    if ('problems' in found) problems.push(...found.problems);
    else {
      try {
        agenda.take(found.event);
      } catch (error) {
        problems.push(...problemsOf(error, `line ${found.line}`));
      }
    }
    done(++count);
  }
}

/** The events of a file on their way into the calendar. */
class Agenda {
  readonly #venues: Directory;
  readonly #organizers: Directory;
  readonly #own: RegExp;

  constructor(private readonly work: Import) {
    this.#venues = new Directory(work.desk, 'venues');
    this.#organizers = new Directory(work.desk, 'organizers');
    const host = work.desk.settings.get('home').replace(/^\w+:\/\//, '');
    this.#own = new RegExp(`^${host.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}\\?id=(\\d+)$`);
  }

  take(said: ReadEvent): void {
    const { desk, tally } = this.work;
    const before = this.#known(said.uid);
    const trashed = before?.status === 'trash';
    if (trashed || (!before && said.status === 'trash')) tally.add('skipped', 'events', said.title, before?.id);
    else if (!before) tally.add('created', 'events', said.title, desk.events.add(this.#inputOf(said)));
    else if (said.status === 'trash') {
      desk.events.delete({ id: before.id });
      tally.add('deleted', 'events', said.title, before.id);
    } else {
      const input = this.#changes(said, desk.events.get({ id: before.id }, { context: 'edit' }));
      const changed = Object.keys(input).length > 0 && bringUpToDate(desk, 'events', before.id, input);
      tally.add(changed ? 'updated' : 'unchanged', 'events', said.title, before.id);
    }
  }

  /** The event that this UID means: one that was taken in with it, or one of this calendar's own. */
  #known(uid: string): (Input & { id: number }) | undefined {
    const { desk } = this.work;
    const id = desk.idBy('events', 'lineage', uid) ?? Number(this.#own.exec(uid)?.[1] ?? 0);
    return id ? desk.source('events', id) : undefined;
  }

  #inputOf(said: ReadEvent): Input {
    const { desk } = this.work;
    const slug = slugOf(said.title);
    const taken = slug !== '' && desk.idBy('events', 'slug', slug) !== undefined;
    return {
      ...this.#texts(said),
      ...dates(said),
      ...this.#links(said),
      status: said.status,
      ...(said.website ? { website: said.website } : {}),
      ...(said.cost ? { cost: costFrom(said.cost) } : {}),
      ...(said.image ? { image: said.image } : {}),
      ...(said.places.length ? { show_map: true, show_map_link: true } : {}),
      // Events of one name are told apart by their day.
      ...(taken ? { slug: `${slug}-${said.start_date.slice(0, 10)}` } : {}),
      lineage: said.uid,
    };
  }

  /** What of an event that is there is otherwise in the file; what the file does not say stays. */
  #changes(said: ReadEvent, entry: Entry): Input {
    const now = icalEvent(entry);
    const input: Input = {};
    const differs = (name: keyof IcalEvent & keyof ReadEvent) =>
      said[name] !== undefined && JSON.stringify(said[name]) !== JSON.stringify(now[name]);
    const texts = this.#texts(said);
    if (differs('title')) input.title = texts.title;
    if (differs('description')) input.description = texts.description;
    if ((['timezone', 'all_day', 'start_date', 'end_date'] as const).some(differs)) Object.assign(input, dates(said));
    if (said.website !== undefined && said.website !== now.website && said.website !== now.url) input.website = said.website;
    if (differs('cost')) input.cost = costFrom(said.cost!);
    if (differs('image')) input.image = said.image;
    if (differs('status') && !(said.status === 'publish' && entry.status === 'future')) input.status = said.status;
    const links = this.#links(said);
    const same = (one: readonly string[] | undefined, other: readonly string[]) =>
      one === undefined || [...one].sort().join('\n') === [...other].sort().join('\n');
    if (locationOf(said.places) !== locationOf(now.places)) input.venue = links.venue ?? 0;
    if (
      !same(
        said.contacts?.map(({ name }) => name),
        now.contacts.map(({ name }) => name),
      )
    )
      input.organizer = links.organizer;
    if (!same(said.categories, now.categories)) input.categories = links.categories;
    if (!same(said.tags, now.tags)) input.tags = links.tags;
    return input;
  }

  #texts(said: ReadEvent): { title: string; description: string } {
    const description = said.html ? unrenderContent(cleanHtml(said.html, false)) : asHtml(said.description);
    return { title: encoded(said.title), description };
  }

  #links(said: ReadEvent): Input {
    return {
      ...(said.places.length ? { venue: said.places.map((place, at) => this.#venue(place, at ? undefined : said.geo)) } : {}),
      ...(said.contacts ? { organizer: said.contacts.map(({ name, email }) => this.#organizer(name, email)) } : {}),
      ...(said.categories ? { categories: said.categories } : {}),
      ...(said.tags ? { tags: said.tags } : {}),
    };
  }

  /** The venue of this line, or of this name; a new one where its name is not taken by another place. */
  #venue({ name, line }: ReadEvent['places'][number], geo: ReadEvent['geo']): number {
    const known = this.#venues.find(line);
    if (known !== undefined) return known;
    const first = name || line.split(', ', 1)[0]!;
    const at = geo ? { geo_lat: geo[0], geo_lng: geo[1] } : {};
    const free = this.#venues.find(first) === undefined;
    const address = line.startsWith(`${first}, `) ? line.slice(first.length + 2) : '';
    const input = free ? { venue: encoded(first), ...(address ? { address } : {}), ...at } : { venue: encoded(line), ...at };
    return this.#venues.add(input, line, free ? first : '');
  }

  #organizer(name: string, email: string): number {
    const known = this.#organizers.find(name) ?? (email ? this.#organizers.find(email) : undefined);
    return known ?? this.#organizers.add({ organizer: encoded(name), ...(email ? { email } : {}) }, name, email);
  }
}

const dates = ({ timezone, all_day, start_date, end_date }: ReadEvent): Input => ({ timezone, all_day, start_date, end_date });

/** A cost as it is shown, as somebody would type it: a range as its two ends. */
function costFrom(shown: string): string | string[] {
  const [least, most, ...more] = shown.split(' – ');
  if (most === undefined || more.length) return shown;
  return [least === 'Free' ? most.replace(/[\d.,]+/, '0') : least!, most];
}
