import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import '../../bin/machine/here.ts';
import type { Entry, ResourceName } from '../../src/model/calendar.ts';
import { owner } from '../../src/model/viewer.ts';
import { openCalendar } from '../../src/store/calendar.ts';
import { limit } from '../support/timeouts.ts';
import type { Server } from './served.ts';

/*
 * What the clients of a server that will be killed keep there. A key names a record by its first letter: an event with a venue, two organizers,
 * a separate category and tag, made in the same request; a venue; or a tag. Each says its key and value in all of its texts.
 */
const places = { e: 'events', v: 'venues', t: 'tags' } as const satisfies Record<string, ResourceName>;
export type Place = keyof typeof places;

/** The content of each key, and the IDs of the records. */
export interface Kept {
  values: Map<string, string>;
  ids: Map<string, number>;
}

function inputOf(place: Place, text: string): Record<string, unknown> {
  if (place === 'v') return { venue: text, city: text };
  if (place === 't') return { name: text, description: text };
  return {
    title: text,
    description: text,
    start_date: '2027-01-01 10:00:00',
    end_date: '2027-01-01 12:00:00',
    venue: { venue: text },
    organizer: [{ organizer: `${text} 1` }, { organizer: `${text} 2` }],
    categories: [text],
    tags: [text],
  };
}

/** Puts a value under a key, or nothing; fails when the server refuses it or is gone before it has answered. */
export async function put(server: Server, ids: Map<string, number>, key: string, value: string | undefined): Promise<void> {
  const place = key[0] as Place;
  const id = ids.get(key);
  const path = `/${places[place]}${id === undefined ? '' : `/${id}`}`;
  if (value === undefined && id === undefined) return;
  const reply =
    value === undefined ? await server.send('DELETE', path) : await server.send('POST', path, inputOf(place, `${key} ${value}`));
  if (reply.status !== (id === undefined ? 201 : 200)) throw new Refusal(`${path}: ${reply.status} ${JSON.stringify(reply.body)}`);
  if (value === undefined) ids.delete(key);
  else ids.set(key, reply.body.id);
}

/** The server answered, and not as it should. */
export class Refusal extends Error {}

/** Everything in a calendar; throws when a record is only half there, or the file is ill-formed. After a writing open the file is looked at by SQLite too. */
export async function everything(file: string, mode: 'read' | 'write', notice: (text: string) => void): Promise<Kept> {
  if (mode === 'read' && !existsSync(file) && !existsSync(`${file}-log`)) return { values: new Map(), ids: new Map() };
  const store = await openCalendar(file, { mode, now: Date.now, notice, timeout: limit(20_000) });
  let kept: Kept;
  try {
    const integrity = store.db.all<{ integrity_check: string }>('pragma integrity_check').map((row) => row.integrity_check);
    if (integrity.join() !== 'ok') throw new Error(integrity.join('; '));
    const orphans = store.db.all('pragma foreign_key_check');
    if (orphans.length > 0) throw new Error(`foreign keys lead nowhere: ${JSON.stringify(orphans)}`);
    const desk = store.local(owner, { home: 'http://x', root: 'http://x' });
    const all = (name: ResourceName) => [...desk.entries(name)];
    kept = keptIn(all);
  } finally {
    await store.close();
  }
  if (mode === 'write') alone(file);
  return kept;
}

// biome-ignore lint/suspicious/noExplicitAny: entries have no types
type Loose = any;

function keptIn(all: (name: ResourceName) => Entry[]): Kept {
  const [events, venues, organizers, categories, tags] = (['events', 'venues', 'organizers', 'categories', 'tags'] as const).map(
    (name) => all(name) as Loose[],
  ) as [Loose[], Loose[], Loose[], Loose[], Loose[]];
  const values = new Map<string, string>();
  const ids = new Map<string, number>();
  const take = (text: string, id: number): void => {
    const [key = '', value = ''] = text.split(' ');
    if (values.has(key)) throw new Error(`${key} is there twice`);
    values.set(key, value);
    ids.set(key, id);
  };
  const same = (what: string, found: unknown[], text: string): void => {
    if (found.some((part) => part !== text)) throw new Error(`half there: ${what} is ${JSON.stringify(found)} in place of ${text}`);
  };
  for (const event of events) {
    const { title, description, venue, organizer } = event;
    same('an event', [description.replace(/<[^>]*>/g, '').trim(), venue?.venue, event.categories[0]?.name, event.tags[0]?.name], title);
    same('its organizers', [organizer.map((one: Loose) => one.organizer).join()], `${title} 1,${title} 2`);
    same('what it is linked to', [`${event.categories.length} ${event.tags.length}`], '1 1');
    take(title, event.id);
  }
  const own = (texts: string[]) => texts.filter((text) => text.startsWith('e')).sort();
  const made = own(venues.map(({ venue }) => venue));
  for (const [what, found] of [
    ['categories', own(categories.map(({ name }) => name))],
    ['tags', own(tags.map(({ name }) => name))],
    [
      'first organizers',
      own(organizers.map(({ organizer }) => organizer))
        .filter((text) => text.endsWith(' 1'))
        .map((text) => text.slice(0, -2)),
    ],
    [
      'second organizers',
      own(organizers.map(({ organizer }) => organizer))
        .filter((text) => text.endsWith(' 2'))
        .map((text) => text.slice(0, -2)),
    ],
  ] as const)
    same(`the list of ${what}`, [found.join('\n')], made.join('\n'));
  for (const { venue, city, id } of venues.filter(({ venue }) => venue.startsWith('v'))) {
    same('a venue', [city], venue);
    take(venue, id);
  }
  for (const { name, description, id } of tags.filter(({ name }) => name.startsWith('t'))) {
    same('a tag', [description], name);
    take(name, id);
  }
  return { values, ids };
}

/** After a clean close there is one file, which SQLite itself finds in order. */
function alone(file: string): void {
  for (const end of ['-log', '-owner', '-new', '-now', '-log-new'])
    if (existsSync(file + end)) throw new Error(`${file}${end} is left after a clean close`);
  const said = sqliteSays(file);
  if (said !== 'ok\n') throw new Error(`sqlite3 says ${said}`);
}

/** Returns the integrity check of the `sqlite3` of this machine, or `ok` without one. */
export function sqliteSays(file: string): string {
  try {
    return execFileSync('sqlite3', ['-readonly', file, 'pragma integrity_check; pragma foreign_key_check'], { encoding: 'utf8' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 'ok\n';
    throw error;
  }
}
