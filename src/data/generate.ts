import type { Input, ResourceName } from '../model/calendar.ts';
import type { RequestContext } from '../model/context.ts';
import { Failure, type Problem } from '../model/error.ts';
import { slugOf } from '../model/fields/slug.ts';
import {
  generateCategory,
  generateEvent,
  generateOrganizer,
  generateTag,
  generateVenue,
  type Setting,
} from '../model/generate/generate.ts';
import { createRandom, oneOf, type Random } from '../model/generate/random.ts';
import { citiesIn } from '../model/generate/vocabulary.ts';
import { addMonths, type DateTime, startOfDay } from '../model/time/datetime.ts';
import { wallOf } from '../model/time/time.ts';
import type { LocalCalendar, Store } from '../store/calendar.ts';
import { dateOption } from './ingest/options.ts';
import { type OperationOptions, Summary } from './summary.ts';
import { inTransaction, recordLabel } from './transaction.ts';

interface GenerateOptions extends OperationOptions {
  /** Number of records by resource; 100 events by default, and a matching number of others. */
  counts?: Partial<Record<ResourceName, number>>;
  /** Seed of the random number generator (default `1`). */
  rngSeed?: string;
  /** First and last day of the events (default: today to six months later). */
  from?: string;
  until?: string;
  /** Time zones of venues; all with known cities by default. */
  zones?: readonly string[];
}

/** Generates records, the same ones for the same options and day. Links events to generated records, or to existing ones of a resource that isn't generated. */
export async function generate(store: Store, options: GenerateOptions = {}): Promise<Summary> {
  const ctx = store.requestContext();
  const counts = countsOf(options.counts);
  const summary = new Summary(
    options,
    Object.values(counts).reduce((sum, count) => sum + count, 0),
  );
  const [from, until] = daysOf(options, ctx, summary.notes);
  await inTransaction(store, options.dryRun ?? false, (local) => {
    const zones = options.zones ?? [];
    const generator = new Generator(local, counts, zones, options.rngSeed ?? '1', summary);
    generator.generateEvents({ ...generator.generateLinked(ctx.zone), zones: zones.length ? [...zones] : [ctx.zone], from, until });
  });
  return summary;
}

function countsOf({ events = 100, ...given }: Partial<Record<ResourceName, number>> = {}): Record<ResourceName, number> {
  const linked = Math.min(50, Math.ceil(events / 10));
  const terms = events ? 16 : 0;
  return { events, venues: linked, organizers: linked, categories: terms, tags: terms, ...given };
}

function daysOf(options: GenerateOptions, ctx: RequestContext, notes: Problem[]): [from: DateTime, until: DateTime] {
  const day = (name: 'from' | 'until', fallback: DateTime, first?: DateTime) =>
    options[name] === undefined ? fallback : startOfDay(dateOption(name, options[name], ctx, { first, notes }).wall);
  const from = day('from', startOfDay(wallOf(ctx.now, ctx.zone)));
  const until = day('until', addMonths(from, 6), from);
  if (until < from) throw new Failure('bad-request', `--until ${until} is before --from ${from}`);
  return [from, until];
}

const numbersTo = (count: number) => Array.from({ length: count }, (_, at) => at);

class Generator {
  constructor(
    private readonly local: LocalCalendar,
    private readonly counts: Record<ResourceName, number>,
    private readonly zones: readonly string[],
    private readonly seed: string,
    private readonly summary: Summary,
  ) {}

  /** Generates the records to link events to, or returns the existing ones. */
  generateLinked(zone: string): Pick<Setting, 'venues' | 'organizers' | 'categories' | 'tags'> {
    const { counts, local } = this;
    const cities = citiesIn([...this.zones]);
    const random = { venues: this.#random('venues'), organizers: this.#random('organizers') };
    const venues = numbersTo(counts.venues).map((at) => {
      const city = oneOf(random.venues, cities);
      return { id: this.#add('venues', generateVenue(random.venues, at, city)), zone: city.zone };
    });
    const organizers = numbersTo(counts.organizers).map((at) => this.#add('organizers', generateOrganizer(random.organizers, at)));
    const categories: Setting['categories'] = [];
    for (const at of numbersTo(counts.categories)) {
      const { input, parent } = generateCategory(at);
      const above = parent === undefined ? {} : { parent: categories[parent]!.id };
      categories.push({ id: this.#add('categories', { ...input, ...above }), name: String(input.name) });
    }
    const tags = numbersTo(counts.tags).map((at) => this.#add('tags', generateTag(at)));
    const present = (name: ResourceName) => [...local.sources(name)].filter((source) => source.status === undefined);
    return {
      venues: counts.venues ? venues : present('venues').map(({ id }) => ({ id, zone })),
      organizers: counts.organizers ? organizers : present('organizers').map(({ id }) => id),
      categories: counts.categories ? categories : present('categories').map(({ id, name }) => ({ id, name: String(name) })),
      tags: counts.tags ? tags : present('tags').map(({ id }) => id),
    };
  }

  generateEvents(setting: Setting): void {
    const random = this.#random('events');
    for (const at of numbersTo(this.counts.events)) {
      const input = generateEvent(random, setting);
      // A number in each slug avoids the search for a free one.
      this.#add('events', Object.assign(input, { slug: `${slugOf(String(input.title))}-${at + 1}` }));
    }
  }

  /** Uses a separate generator for each resource, so that more venues don't change the organizers. */
  #random(name: ResourceName): Random {
    return createRandom(`${this.seed}:${name}`);
  }

  #add(name: ResourceName, input: Input): number {
    const { id } = this.local[name].add(Object.assign(input, { generated: 1 }));
    this.summary.add('created', name, recordLabel(name, input), id);
    return id;
  }
}
