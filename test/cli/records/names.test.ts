import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Served, served } from '../../support/served.ts';
import { folder, run, words } from '../../support/transcript.ts';

// How many requests it takes to find what names mean, and who may find it.
const place = folder();
let server: Served;
const env = { CALENDAR_USER: 'ada', CALENDAR_PASSWORD: 'p' };
const at = (line: string, as: Record<string, string> = env) => run([...words(line), '--url', server.url], { cwd: place.path, env: as });
const root = '/calendar/events/v1';

beforeAll(async () => {
  server = await served();
  server.store.change(() => server.store.users.add({ name: 'ada', role: 'editor', password: 'p' }));
  for (const line of [
    "venues create --venue 'Main Hall'",
    "venues create --venue 'Secret Cellar' --status private",
    "venues create --venue 'Pier 9 & more'",
    'categories create --name Music',
    'categories create --name 2027',
    "events create --title 'A “quoted” night – out' --start-date 2020-01-01 --end-date 2020-01-01 --categories music --venue main-hall",
  ])
    expect((await at(line)).exit).toBe(0);
});
afterAll(async () => {
  await server.close();
  place.remove();
});

describe('requests', () => {
  it.each([
    ['venues get main-hall', ['GET /venues/by-slug/main-hall 200']],
    ['venues get 8', ['GET /venues/8 200']],
    ["venues get 'Main Hall'", ['GET /venues 200', 'GET /venues/8 200']],
    ['events list --venue 8 --from 2020-01-01', ['GET / 200', 'GET /events 200']],
    // The second request counts the events outside the default dates.
    ['events list --search nothing', ['GET /events 200', 'GET /events 200']],
    ['events list --venue 8 --quiet', ['GET /events 200']],
    ['events list --venue main-hall --start-date 2020-01-01 -q', ['GET /venues/by-slug/main-hall 200', 'GET /events 200']],
    ['events list --categories music,2027 --start-date 2020-01-01 -q', ['GET /categories 200', 'GET /events 200']],
    ['events list --start-date today -q', ['GET / 200', 'GET /events 200']],
    ['events list --start-date 2027-01-01 --end-date 2028-01-01', ['GET /events 200']],
    ['categories update 3 --description x', ['POST /categories/3 200']],
    ["events update 11 --start-date '2020-01-02'", ['GET /events/11 200', 'POST /events/11 200']],
    ["events update 11 --start-date '2020-01-02' --end-date '2020-01-03'", ['POST /events/11 200']],
  ])('%s', async (line, expected) => {
    server.log.length = 0;
    expect(await at(line)).toMatchObject({ stderr: '', exit: 0 });
    expect(server.log.map((entry) => entry.replace(root, '').replace(/\?\S*/, ''))).toEqual(expected);
  });
});

it('the first of several unknown names is reported', async () => {
  for (const line of ["events list --venue 'No Hall,Zero Hall'", "events update 11 --add-organizer 'No Hall' --add-organizer 'Zero Hall'"])
    expect(await at(line)).toMatchObject({ exit: 2, stderr: expect.stringContaining('has the slug or name "No Hall"') });
});

describe('who sees what', () => {
  it.each([
    ["venues get 'Secret Cellar'", 0, 4],
    ["venues get 'main hall'", 0, 0],
    ["venues get 'PIER 9 & MORE'", 0, 0],
    [`events get 'a "quoted" night - out'`, 0, 0],
    ['categories get 2027', 0, 0],
  ])('%s: an editor %i, a visitor %i', async (line, editor, visitor) => {
    expect((await at(line)).exit).toBe(editor);
    expect((await at(line, {})).exit).toBe(visitor);
  });
});
