import demo from '../../fixtures/demo.json' with { type: 'json' };
import { type ResourceName, resourceNames } from '../model/calendar.ts';
import { namespace } from '../model/routes.ts';
import { joinPieces, noBody, type RecordExamples } from '../server/http.ts';
import { createHandler } from '../server/router.ts';
import { openCalendar } from '../store/calendar.ts';
import { serviceOf } from '../store/service.ts';
import { fill } from './initial-state.ts';

type Json = Record<string, unknown>;
type Examples = Record<string, RecordExamples>;

/** The example of each resource: its slug in the demo seed, and a change of it. */
const exampleRecords: Partial<Record<ResourceName, { key: string; changes: Json }>> = {
  events: { key: 'symphony', changes: { start_date: 'next friday 19:30', cost: ['€20', '€45'] } },
  venues: { key: 'harbour-hall', changes: { phone: '+31 10 555 0111' } },
  organizers: { key: 'city-music', changes: { email: 'tickets@music.example.org' } },
  categories: { key: 'jazz', changes: { description: 'Old and new' } },
  tags: { key: 'open-air', changes: { name: 'Under the sky' } },
};

let examples: Promise<Examples> | undefined;

/** The examples of `/openapi.json`: responses with records of the demo seed at a fixed time, and inputs that would create them. */
export function openApiExamples(): Promise<Examples> {
  examples ??= createExamples();
  return examples;
}

async function createExamples(): Promise<Examples> {
  const now = () => Date.parse('2027-03-01T09:00:00Z');
  const store = await openCalendar(':memory:', { mode: 'write', now });
  try {
    await fill(store, 'demo');
    const handle = createHandler(serviceOf(store), {
      basePath: '',
      namespace,
      headerPrefix: 'X-Calendar',
      publicUrl: 'http://127.0.0.1:8787',
    });
    const get = async (path: string, query = ''): Promise<Json> => {
      const { body } = await handle({ method: 'GET', path: `/${namespace}${path}`, query, headers: {}, body: noBody });
      return JSON.parse(new TextDecoder().decode(joinPieces(body)));
    };
    const examplesOf = async (name: ResourceName): Promise<[ResourceName, RecordExamples][]> => {
      if (!exampleRecords[name]) return [];
      const { key, changes } = exampleRecords[name];
      const all = (await get(`/${name}`, 'per_page=100'))[name] as { id: number; slug: string }[];
      const place = all.findIndex(({ slug }) => slug === key);
      const { [name]: _, ...page } = await get(`/${name}`, `per_page=1&page=${place + 1}`);
      return [[name, { record: await get(`/${name}/${all[place]!.id}`), page, input: inputOf(name, key), changes }]];
    };
    return Object.fromEntries((await Promise.all(resourceNames.map(examplesOf))).flat());
  } finally {
    await store.close();
  }
}

/** A record of the seed as a request body, with other records instead of references to them. */
function inputOf(name: ResourceName, key: string): Json {
  const sections = demo as unknown as Record<string, Record<string, Json>>;
  const { parent: _, poster, ...record } = sections[name]![key]!;
  const inline = (field: string, value: unknown): unknown => {
    if (Array.isArray(value)) return value.map((item) => inline(field, item));
    if (typeof value !== 'string' || !value.startsWith('@')) return value;
    const referred = value.slice(1);
    const section = { venue: 'venues', organizer: 'organizers' }[field];
    return section ? inputOf(section as ResourceName, referred) : sections[field]![referred]!.name;
  };
  const image = poster ? { image: `https://example.org/${key}.jpg` } : {};
  return { ...Object.fromEntries(Object.entries(record).map(([field, value]) => [field, inline(field, value)])), ...image };
}
