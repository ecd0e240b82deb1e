import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Served, served } from '../support/served.ts';
import { folder, run, words } from '../support/transcript.ts';

// The same commands, in this order, on a file and on a server: the same bytes on both outputs and the same exit codes.
const commands = [
  "venues create --venue 'City Hall' --city Springfield --no-show-map --json",
  "venues create --venue 'City Hall' --city Shelbyville",
  "organizers create --organizer 'Jazz & Co' --email jazz@example.org --quiet",
  'categories create --name Music',
  'categories create --name Jazz --parent 3 --json',
  'categories create --name Jazz --parent 3',
  'categories create --name Folk --parent 999',
  'tags create --name Outdoor --format csv',
  "events create --title 'Tom & Jerry: live' --start-date 'friday 8pm' --end-date 'friday 11pm' --venue 8 --organizer 9 --categories jazz,music --tags outdoor,new --cost 10 --featured",
  'events create --title Fair --start-date 2026-12-01 --end-date 2026-12-03 --all-day --json',
  "events create --title Réunion --start-date 'tomorrow 9am' --end-date 'tomorrow 10am' --timezone Europe/Paris --format ndjson",
  'events create --title Hidden --start-date tomorrow --end-date tomorrow --status draft --format ids',
  'events create --title x --start-date nonsense --end-date tomorrow',
  'events create --start-date tomorrow --json',
  `events create --data '[{"title":"A","start_date":"tomorrow","end_date":"tomorrow"},{"title":""},{"title":"B","start_date":"tomorrow","end_date":"tomorrow"}]' --quiet`,
  'events list',
  'events list --json',
  'events list --json=id,title,venue.city,organizer.email',
  'events list --format csv',
  'events list --format tsv --fields id,title,cost',
  'events list --format ids',
  'events list --format count',
  'events list --format count --search fair',
  'events list --all --per-page 2 --format ids',
  'events list --limit 3 --per-page 2 --format ids',
  'events list --per-page 2 --page 2 --format ids',
  'events list --page 99',
  'events list --per-page 0',
  'events list --categories music --template {{title}}|{{start_date}}|{{venue.venue}}',
  'events list --starts-after 2026-11-30 --fields title',
  'events list --no-strict-dates --featured --fields title',
  'events list --status publish,draft --fields title,status',
  'events list --venue 77',
  'events get tom-jerry-live --json',
  'events get fair',
  'events get fair nothing reunion --format ids',
  'events get 99999',
  'events update fair --title Faire --no-all-day --cost 5',
  'events update fair --venue \'{"venue":"Barn","city":"Ogdenville"}\' --json=venue.venue,venue.city',
  "events update fair --venue '' --json=venue",
  'events update fair',
  "events update fair --title ''",
  'events update fair reunion --sticky --format ids',
  'events update nothing --sticky',
  "events list --search ''",
  "events list --categories ''",
  'events list --include 10,x',
  'events list --include 10,11 --format ids',
  'events list --status any',
  'events list --ends-before 1000000000000 --format count',
  'events list --geoloc-lat 1',
  'events list --post-parent 8',
  'events list --titel',
  'events list --fields title,titel',
  `events create --data '{"title":null,"start_date":"tomorrow","end_date":"tomorrow"}'`,
  `events create --data '{"title":7,"start_date":"tomorrow","end_date":"tomorrow"}'`,
  `events create --data '{"title":"x","start_date":1893456000,"end_date":"tomorrow"}'`,
  `events update fair --data '{"id":10,"nonsense":1,"excerpt":"Short"}' --fields id,excerpt`,
  `events update fair --set author:=99`,
  'events update fair --image http://example.org/a.png --json=image.url',
  'events update fair --slug fair-2 --quiet',
  'events update fair-2 --slug fair --fields slug',
  'events get 8',
  'events update 8 --title x',
  'tags get 3',
  'tags update outdoor --slug new',
  "tags update outdoor --name ''",
  'venues list',
  'venues list --json',
  'venues get city-hall',
  'venues get 8 --json',
  'venues update city-hall --show-map --phone 555 --json',
  "venues update city-hall --phone '' --format ndjson",
  'organizers list --format ndjson',
  'organizers get 9',
  'categories list',
  'categories list --no-hide-empty --json',
  'categories get jazz --json',
  'categories get jas',
  'categories update jazz --description Old',
  'tags list --no-hide-empty --format csv',
  'tags list --orderby count --order desc --format ids',
  'categories delete music --dry-run',
  'categories delete music',
  'categories delete music',
  'categories get jazz --fields id,parent --json',
  'events delete fair --dry-run',
  'events delete fair',
  'events delete fair',
  'events get fair',
  'events delete 99999',
  'venues delete 8 --json',
  'venues delete 8',
  'organizers delete jazz-co --quiet',
  'request GET /events?per_page=1',
  'request GET /events/99999',
  'request HEAD /events/99999',
  'request TRACE /events',
  `request POST /tags --data '{"name":"Late"}'`,
  'request DELETE /nothing',
  'request OPTIONS /tags',
];

const host = (url: string) => new URL(url).host;

describe('a file and a server answer alike', () => {
  const place = folder();
  let server: Served;
  beforeAll(async () => {
    server = await served();
    await run(['settings', 'set', 'home', server.url], { cwd: place.path });
  });
  afterAll(async () => {
    await server.close();
    place.remove();
  });

  it.each(commands)('%s', async (line) => {
    const here = await run(words(line), { cwd: place.path });
    const there = await run([...words(line), '--url', server.url], { cwd: place.path });
    expect(there).toEqual(here);
    expect(here.exit).not.toBe(1);
    if (here.exit && here.exit !== 8 && !line.startsWith('request')) expect(here.stdout).toBe('');
    // Whole records are the store's business; its own tests say what they hold.
    if (here.stdout.length > 600) return;
    expect(JSON.parse(JSON.stringify(here).replaceAll(host(server.url), 'HOST'))).toMatchSnapshot();
  });
});
