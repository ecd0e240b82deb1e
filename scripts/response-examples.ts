/** Makes examples/responses from the demo seed at a fixed time; `npm run codegen` writes them. */
import '../bin/machine/here.ts';
import { seed } from '../src/data/seed.ts';
import { seedNamed } from '../src/data/seeds.ts';
import { namespace } from '../src/model/routes.ts';
import { joinPieces, noBody } from '../src/server/http.ts';
import { createHandler } from '../src/server/router.ts';
import { openCalendar } from '../src/store/calendar.ts';
import { serviceOf } from '../src/store/service.ts';

/** Paths and queries by file. */
const requests: Record<string, [path: string, query?: string]> = {
  'events.json': ['/events', 'per_page=2'],
  'events-last-page.json': ['/events', 'search=jazz&per_page=6&page=2'],
  'events-none.json': ['/events', 'search=zeppelin'],
  'event.json': ['/events/by-slug/jazz-thursday-3'],
  'event-without-links.json': ['/events/by-slug/online-reading'],
  'venue.json': ['/venues/by-slug/cellar-club'],
  'organizers.json': ['/organizers', 'per_page=2'],
  'categories.json': ['/categories', 'per_page=2'],
  'error-not-found.json': ['/events/999'],
  'error-invalid-parameter.json': ['/events', 'per_page=none'],
};

/** The files by path, as a site at example.org sends them. */
export async function responseExamples(): Promise<Record<string, string>> {
  const now = () => Date.parse('2027-03-01T09:00:00Z');
  const store = await openCalendar(':memory:', { mode: 'write', now });
  try {
    await seed(store, await seedNamed('demo'), 'append');
    const bare = { title: 'Online reading', start_date: '2027-03-20 19:00', end_date: '2027-03-20 20:30' };
    await seed(store, { name: 'examples', document: { events: { 'online-reading': bare } } }, 'append');
    const options = { basePath: '/wp-json', namespace, headerPrefix: 'X-Calendar', publicUrl: 'https://example.org' };
    const handle = createHandler(serviceOf(store), options);
    const files = Object.entries(requests).map(async ([file, [path, query = '']]): Promise<[string, string]> => {
      const { body } = await handle({ method: 'GET', path: `/wp-json/${namespace}${path}`, query, headers: {}, body: noBody });
      const json = JSON.parse(new TextDecoder().decode(joinPieces(body)));
      return [`examples/responses/${file}`, `${JSON.stringify(json, null, 2)}\n`];
    });
    return Object.fromEntries(await Promise.all(files));
  } finally {
    await store.close();
  }
}
