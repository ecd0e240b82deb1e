import { beforeEach, expect, it } from 'vitest';
import { diff } from '../../../src/data/remote/diff.ts';
import type { Entry } from '../../../src/model/calendar.ts';
import { countsOf, day, reasonsOf, SiteCopy } from '../../support/site-copy.ts';

const as = 'administrator';
let venue: Entry | undefined;
const copy = new SiteCopy();
/** Copies a draft that links to a venue and an organizer. */
beforeEach(async () => {
  venue = undefined;
  const ids = { venue: copy.shown('there', 'venues', 'town-hall')!.id, organizer: copy.shown('there', 'organizers', 'music-club')!.id };
  await copy.change('there', (local) => local.events.create({ title: 'Gala', slug: 'gala', ...day, ...ids, status: 'draft' }));
  await copy.pull({ as });
});
const gala = (side: 'here' | 'there') => copy.shown(side, 'events', 'gala') as (Entry & { venue: Entry; organizer: Entry[] }) | undefined;
/** A site shows a draft with its links to records in the trash. */
const trashVenue = async () => {
  venue = { ...copy.shown('there', 'venues', 'town-hall')!, status: 'trash' };
  await copy.delete('there', 'venues', 'town-hall');
  copy.site.quirks.shows = (body) => {
    for (const each of [(body as { events?: Entry[] }).events ?? body].flat() as Entry[])
      if (each.slug === 'gala' && venue) each.venue = venue;
    return body;
  };
};
const restoreVenue = async () => {
  const { id } = venue!;
  venue = { ...venue!, status: 'publish' };
  await copy.change('there', (local) => local.venues.update({ id }, { status: 'publish' }));
};
async function differences(): Promise<unknown[]> {
  const found: unknown[] = [];
  for await (const each of diff(copy.here, copy.site.remote(as), { problems: [] })) found.push(each);
  return found;
}

it('a link that goes with a record in the trash of the site is not an edit, and comes back with it', async () => {
  await trashVenue();
  expect(reasonsOf((await copy.pull({ as, delete: true })).notes).join()).toContain('events (Gala): lost its link to venues');
  for (let time = 0; time < 2; time++) {
    expect([reasonsOf((await copy.push({ as })).problems), copy.writes, await differences()]).toEqual([[], [], []]);
    expect((await copy.pull({ as, delete: true })).hasChanged).toBe(false);
  }
  await restoreVenue();
  await copy.pull({ as });
  expect([gala('here')?.venue.slug, copy.count('here', 'venues')]).toEqual(['town-hall', 1]);
  expect([copy.writes, await differences(), (await copy.pull({ as })).hasChanged]).toEqual([[], [], false]);
});

it.each([true, false])(
  'an event is not published that links to a record in the trash of the site (deleted here too: %s)',
  async (deletes) => {
    await copy.pull({ as });
    await trashVenue();
    await copy.pull({ as, delete: deletes });
    await copy.update('here', { cost: '5' }, 'events', 'gala');
    expect([reasonsOf((await copy.push({ as })).problems), gala('there')?.cost]).toEqual([[], '$5']);
    copy.site.log.length = 0;
    await copy.update('here', { status: 'publish' }, 'events', 'gala');
    for (let time = 0; time < 2; time++)
      expect([reasonsOf((await copy.push({ as })).problems), copy.writes]).toEqual([
        [expect.stringMatching(/^events \(Gala\): links to venues \d+ \(Town Hall\), which the site deleted; not sent$/)],
        [],
      ]);
    await restoreVenue();
    await copy.pull({ as });
    await copy.push({ as });
    expect(gala('there')?.status).toBe('publish');
  },
);

it('a new event that links to a record in the trash of the site is not sent', async () => {
  const { id } = copy.shown('here', 'venues', 'town-hall')!;
  await copy.change('here', (local) => local.events.create({ title: 'New', ...day, venue: id, status: 'draft' }));
  await trashVenue();
  expect([reasonsOf((await copy.push({ as })).problems), copy.writes]).toEqual([
    [expect.stringMatching(/^events \(New\): links to venues \d+ \(Town Hall\), which the site deleted; not sent$/)],
    [],
  ]);
  await restoreVenue();
  expect(countsOf(await copy.push({ as }))).toContain('1 created');
});
