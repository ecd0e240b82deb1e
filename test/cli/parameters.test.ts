import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Entry, type ResourceName, resourceNames } from '../../src/model/calendar.ts';
import type { ParameterDefinition } from '../../src/model/fields/field.ts';
import { resources } from '../../src/model/resources/all.ts';
import { owner } from '../../src/model/viewer.ts';
import type { StoreImage } from '../../src/store/snapshots.ts';
import { type Served, served } from '../support/served.ts';
import { folder, run } from '../support/transcript.ts';

const { path: cwd, remove } = folder();
let server: Served;
let start: StoreImage;
const ids = {} as Record<ResourceName, number>;
beforeAll(async () => {
  server = await served();
  const day = { start_date: '2027-03-05 10:00', end_date: '2027-03-05 11:00' };
  const { venues, organizers, categories, tags, events } = server.store.local(owner, { home: '', root: '' });
  await server.store.change(() => {
    ids.venues = venues.add({ venue: 'Hall', geo_lat: 42, geo_lng: -71 }).id;
    ids.organizers = organizers.add({ organizer: 'Ada' }).id;
    ids.categories = categories.add({ name: 'Music' }).id;
    ids.tags = tags.add({ name: 'Free' }).id;
    const linked = { venue: ids.venues, organizer: [ids.organizers], categories: [ids.categories], tags: [ids.tags] };
    ids.events = events.add({ title: 'Jazz', ...linked, ...day }).id;
    events.add({ title: 'Fair', featured: true, ...day });
  });
  start = server.store.image();
});
afterAll(async () => {
  await server.close();
  remove();
});

const at = (...args: string[]) => run([...args, '--url', server.url], { cwd });
const flagOf = ({ name }: ParameterDefinition) => `--${name.replaceAll('_', '-')}`;

/** Values of a parameter as people type them, with those that a request has. */
function samplesOf(parameter: ParameterDefinition): [args: string[], value: unknown][] {
  const { accepts, choices, links, switch: both, topic, name, many } = parameter;
  const flag = flagOf(parameter);
  if (both)
    return [
      [[flag], both.on],
      [[flag.replace('--', '--no-')], both.off],
    ];
  const types = [accepts, ...((accepts.anyOf ?? accepts.oneOf ?? []) as (typeof accepts)[])];
  const hasType = (type: string) => types.some((each) => [each.type].flat().includes(type as never));
  const own = {
    cost: '12',
    image: 'https://example.org/a.png',
    website: 'https://example.org/',
    email: 'ada@example.org',
    timezone: 'Asia/Tokyo',
    author: '7',
    page: '1',
    post_parent: String(ids.events),
    geoloc_lat: '42',
    geoloc_lng: '-71',
  }[name];
  const value =
    own ??
    (topic === 'dates'
      ? '2027-03-06 10:00'
      : links && links !== 'images' && links !== 'users'
        ? String(ids[links as ResourceName])
        : (choices?.[0] ?? (hasType('integer') || hasType('number') ? '2' : 'jazz')));
  const sample: [string[], unknown] = [[flag, value], many && accepts.type === 'array' ? [value] : value];
  return [sample];
}

/** Other parameters that a request needs with one. */
const companions: Record<string, string[]> = {
  geoloc_lat: ['geoloc_lng', '-71'],
  geoloc_lng: ['geoloc_lat', '42'],
  end_date: ['start_date', '2027-03-01 10:00'],
  start_date: ['end_date', '2027-03-09 10:00'],
};
const companionOf = (name: string) => {
  const [other, value] = companions[name] ?? [];
  return other === undefined ? { args: [], input: {} } : { args: [`--${other.replaceAll('_', '-')}`, value!], input: { [other]: value! } };
};
const api = (path: string, init?: RequestInit) => fetch(`${server.url}/calendar/events/v1/${path}`, init);

describe.each(resourceNames)('%s', (name) => {
  const { list, fields, label } = resources[name];

  it('has a row of help for each filter and field', async () => {
    for (const [command, parameters] of [
      ['list', list.parameters],
      ['create', fields],
      ['update', fields],
    ] as const) {
      const { stdout } = await run([name, command, '--help'], { cwd });
      for (const parameter of parameters) {
        const row = new RegExp(`^ +(?:-\\w, )?${flagOf(parameter)}(?: <[^>]+>)? +\\S`, 'm');
        expect(stdout, `${command} ${parameter.name}`).toMatch(row);
      }
    }
  });

  it.each(list.parameters.map((parameter) => [flagOf(parameter), parameter] as const))(
    'list %s is the query of the API',
    async (_, parameter) => {
      for (const [args, value] of samplesOf(parameter)) {
        const { args: more, input } = name === 'events' ? companionOf(parameter.name) : { args: [], input: {} };
        const said = await at(name, 'list', ...args, ...more, '--format', 'ids');
        const query = new URLSearchParams({ [parameter.name]: String(value), ...input });
        const response = await api(`${name}?${query}`);
        const body = (await response.json()) as Record<string, Entry[]> & { message?: string };
        expect([args, said.exit === 0], said.stderr).toEqual([args, response.ok || response.status === 404]);
        if (response.ok)
          expect([args, said.stdout.split('\n').filter(Boolean).map(Number)]).toEqual([args, body[name]!.map(({ id }) => id)]);
      }
    },
  );

  it.each(fields.map((field) => [flagOf(field), field] as const))('create and update %s are the input of the API', async (_, field) => {
    const { args: more, input } = name === 'events' ? companionOf(field.name) : { args: [], input: {} };
    const required = {
      ...(field.name === label ? {} : { [label]: 'Made' }),
      ...(name === 'events' && !more.length ? { start_date: '2027-03-01', end_date: '2027-03-02' } : {}),
    };
    const flags = Object.entries(required).flatMap(([each, text]) => [`--${each.replaceAll('_', '-')}`, text]);
    for (const [args, value] of samplesOf(field)) {
      await server.store.restore(start);
      const body = JSON.stringify({ ...required, ...input, [field.name]: value });
      const response = await api(name, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
      const made = (await response.json()) as Entry;
      await server.store.restore(start);
      const said = await at(name, 'create', ...flags, ...args, ...more, '--json');
      expect([args, said.exit, response.status], `${said.stderr} ${JSON.stringify(made)}`).toEqual([args, 0, 201]);
      const created = JSON.parse(said.stdout) as Entry;
      expect([args, created[field.name]]).toEqual([args, made[field.name]]);
      const updated = JSON.parse((await at(name, 'update', String(created.id), ...args, ...more, '--json')).stdout) as Entry;
      expect([args, updated[field.name]]).toEqual([args, created[field.name]]);
    }
  });
});
