/** Writes the examples of `/openapi.json` to src/server/openapi/examples.json: responses with records of the demo seed. `npm run examples` */
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import demo from '../fixtures/demo.json' with { type: 'json' };
import { seed } from '../src/data/seed.ts';
import { seedNamed } from '../src/data/seeds.ts';
import { type ResourceName, resourceNames } from '../src/model/calendar.ts';
import { linkFields } from '../src/model/resources/relations.ts';
import { namespace } from '../src/model/routes.ts';
import { joinPieces, noBody } from '../src/server/http.ts';
import { createHandler } from '../src/server/router.ts';
import { openCalendar } from '../src/store/calendar.ts';
import { serviceOf } from '../src/store/service.ts';

type Json = Record<string, unknown>;
/** The examples of a resource: a record, the page of one record that contains it, without it, and inputs that create and update a record. */
type Examples = Record<ResourceName, { record: Json; page: Json; input: Json; changes: Json }>;

/** The example of each resource: its slug in the seed, and a change of it. */
const shown: Record<ResourceName, { key: string; changes: Json }> = {
  events: { key: 'symphony', changes: { start_date: 'next friday 19:30', cost: ['€20', '€45'] } },
  venues: { key: 'harbour-hall', changes: { phone: '+31 10 555 0111' } },
  organizers: { key: 'city-music', changes: { email: 'tickets@music.example.org' } },
  categories: { key: 'jazz', changes: { description: 'Old and new' } },
  tags: { key: 'open-air', changes: { name: 'Under the sky' } },
};

/** Returns a record of the seed as a request body, with other records instead of references to them. */
function inputOf(name: ResourceName, key: string): Json {
  const sections = demo as unknown as Record<string, Record<string, Json>>;
  const { parent: _, ...record } = sections[name]![key]!;
  const inline = (field: string, value: unknown): unknown => {
    if (Array.isArray(value)) return value.map((item) => inline(field, item));
    if (typeof value !== 'string' || !value.startsWith('@')) return value;
    const referred = value.slice(1);
    if (field === 'image') return sections.images![referred];
    const section = { venue: 'venues', organizer: 'organizers' }[field];
    return section ? inputOf(section as ResourceName, referred) : sections[field]![referred]!.name;
  };
  return Object.fromEntries(Object.entries(record).map(([field, value]) => [field, inline(field, value)]));
}

/** Returns an example with null instead of linked records that are examples too. */
function withoutLinked(name: ResourceName, part: 'record' | 'input', examples: Examples): Json {
  const links = new Map(linkFields(name).map(({ name: field, links }) => [field, examples[links][part]]));
  const replaced = ([field, value]: [string, unknown]) => [
    field,
    isDeepStrictEqual(value, links.get(field)) ? null : isDeepStrictEqual(value, [links.get(field)]) ? [null] : value,
  ];
  return Object.fromEntries(Object.entries(examples[name][part]).map(replaced));
}

/** Returns the examples, from the demo seed at a fixed time. */
export async function openApiExamples(): Promise<Examples> {
  const now = () => Date.parse('2027-03-01T09:00:00Z');
  const store = await openCalendar(':memory:', { mode: 'write', now });
  await seed(store, await seedNamed('demo'), 'append');
  const handle = createHandler(serviceOf(store), { basePath: '', namespace, headerPrefix: 'X-Calendar', home: 'http://127.0.0.1:8787' });
  const get = async (path: string, query = ''): Promise<Json> => {
    const { status, body } = await handle({ method: 'GET', path: `/${namespace}${path}`, query, headers: {}, body: noBody });
    const text = new TextDecoder().decode(joinPieces(body));
    if (status !== 200) throw new Error(`${path}?${query}: ${text}`);
    return JSON.parse(text);
  };
  const of = async (name: ResourceName): Promise<[ResourceName, Examples[ResourceName]]> => {
    const { key, changes } = shown[name];
    const all = (await get(`/${name}`, 'per_page=100'))[name] as { id: number; slug: string }[];
    const place = all.findIndex(({ slug }) => slug === key);
    const { [name]: _, ...page } = await get(`/${name}`, `per_page=1&page=${place + 1}`);
    return [name, { record: await get(`/${name}/${all[place]!.id}`), page, input: inputOf(name, key), changes }];
  };
  try {
    const examples = Object.fromEntries(await Promise.all(resourceNames.map(of))) as Examples;
    for (const part of ['record', 'input'] as const)
      for (const name of resourceNames) examples[name][part] = withoutLinked(name, part, examples);
    return examples;
  } finally {
    await store.close();
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  writeFileSync(
    fileURLToPath(new URL('../src/server/openapi/examples.json', import.meta.url)),
    `${JSON.stringify(await openApiExamples(), null, 2)}\n`,
  );
