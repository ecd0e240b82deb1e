import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeImage } from '../../../src/store/records/entries.ts';
import type { Json } from '../../support/contract-server.ts';
import { folder, run, words } from '../../support/transcript.ts';
import { type WholeServer, wholeServer } from '../../support/whole-server.ts';

const { path: cwd, remove } = folder();
const media = mkdtempSync(join(tmpdir(), 'images-'));
let site: WholeServer;
beforeAll(async () => {
  site = await wholeServer({ media });
});
afterAll(async () => {
  await site.close();
  rmSync(media, { recursive: true });
  remove();
});

const local = (line: string) => run([...words(line), '--db', 'copy.db'], { cwd });
const dates = { start_date: '2027-04-01 20:00', end_date: '2027-04-01 22:00' };

it('a copy shows what its site shows of images, also when nothing else changes', async () => {
  const body = new Uint8Array(readFileSync(new URL('../../support/files/images/plain.png', import.meta.url)));
  const headers = { 'content-disposition': 'attachment; filename="hall.png"' };
  const made = await fetch(`${site.listening.url}/wp/v2/media`, { method: 'POST', headers, body });
  const { id } = (await made.json()) as { id: number };
  const venue = { venue: 'Hall', image: String(id) };
  const event = await site.json<Json>('POST', '/events', { title: 'Jazz', image: 'https://images.example.org/a.png', venue, ...dates });

  const copied = async () => {
    expect((await local(`pull ${site.root}`)).exit).toBe(0);
    const [shown] = JSON.parse((await local('events list --json')).stdout);
    return shown;
  };
  const withoutId = ({ id: _, ...image }: Json) => image;
  const shown = await copied();
  expect(withoutId(shown.image)).toEqual(withoutId(event.image));
  expect(shown.venue.image.sizes.medium).toMatchObject({ width: 48, height: 32 });
  expect(withoutId(shown.venue.image)).toEqual(withoutId(event.venue.image));

  site.store.db.change(() => site.store.db.run(`update images set upload = json_set(upload, '$.width', 50) where id = ${id}`));
  expect((await copied()).venue.image.sizes.medium).toMatchObject({ width: 50, height: 32 });
  expect((await local(`diff ${site.root}`)).exit).toBe(0);
});

it('a server shows new facts about an image, whose record it has in memory', async () => {
  const server = await wholeServer();
  const url = 'https://images.example.org/b.png';
  const { id } = await server.json<Json>('POST', '/events', { title: 'Cached', image: url, ...dates });
  const image = async () => (await server.json<Json>('GET', `/events/${id}`)).image;
  expect(await image()).toEqual(await image());
  await server.store.change((calendar) => describeImage(calendar.context.db, { url, id: 99, extension: 'png', width: 7 }));
  expect(await image()).toEqual({ url, id: 1, extension: 'png', width: 7 });
  for (const other of [undefined, false, 'x', { url: 5 }, { url: 'https://images.example.org/unknown.png', width: 1 }])
    await server.store.change((calendar) => describeImage(calendar.context.db, other));
  expect(server.store.db.get('select count(*) as n from images')).toEqual({ n: 1 });
  await server.close();
});
