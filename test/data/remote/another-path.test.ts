import { describe, expect, it } from 'vitest';
import type { Site } from '../../../src/data/remote/site.ts';
import { reset } from '../../../src/data/world/reset.ts';
import { SiteState } from '../../../src/store/identity/sites.ts';
import { countsOf, SiteCopy } from '../../support/site-copy.ts';

const copy = new SiteCopy();

describe('another path of the host of a copy', () => {
  const namespaced = '/brand/events/v1';
  /** The same calendar at another address, which its links have too unless they have those of the main site. */
  const at = (path: string, says = path): Site => {
    const remote = copy.site.remote();
    const { origin } = new URL(remote.root);
    const rootOf = (text: string) => `${origin}${text}${namespaced}`;
    return { ...remote, root: rootOf(path), greet: async () => ({ root: rootOf(says), mayWrite: true }) };
  };
  const paired = () => SiteState.named(copy.here.db).map((site) => site.replace(/^[^/]*/, '').replace(namespaced, ''));

  it.each<[what: string, typed: string, says: string]>([
    ['a changed path', '/new/wp-json', '/new/wp-json'],
    ['a folder that answers with another site', '/wp-json', '/other/wp-json'],
  ])('is confirmed before anything is written: %s', async (_, typed, says) => {
    const image = () => JSON.stringify(copy.here.db.all('select * from copies order by site, resource, remote'));
    const before = image();
    copy.remote = at(typed, says);
    await copy.change('there', (local) => local.tags.create({ name: 'later' }));
    for (const command of ['pull', 'push'] as const)
      await expect(copy[command]({ delete: true })).rejects.toMatchObject({
        code: 'not-confirmed',
        message: expect.stringMatching(/^The file has a copy of .*Is .* the same calendar as .*\?$/),
      });
    expect([image(), copy.writes, copy.count('here', 'tags')]).toEqual([before, [], 1]);
    expect(countsOf(await copy.pull({ yes: true, dryRun: true }))).toBe('1 created, 5 unchanged');
    expect(countsOf(await copy.pull({ separate: false, delete: true }))).toBe('1 created, 5 unchanged');
    expect([paired(), countsOf(await copy.push())]).toEqual([[says], '6 unchanged']);
  });

  it('is another calendar if the user says so', async () => {
    copy.remote = at('/wp-json', '/other/wp-json');
    await copy.pull({ separate: true });
    expect(paired()).toEqual(['/other/wp-json', '/wp-json']);
    expect(countsOf(await copy.pull())).toBe('5 unchanged');
    copy.remote = undefined;
    expect(countsOf(await copy.pull())).toBe('5 unchanged');
  });

  it.each(['/index.php/wp-json', ''])('is not asked about for the spelling %j, nor by a first pull', async (path) => {
    copy.remote = at(path);
    expect([countsOf(await copy.pull()), paired()]).toEqual(['5 unchanged', [path && '/wp-json']]);
    await reset(copy.here, undefined, { to: 'empty' }, {});
    copy.remote = at('/new/wp-json', '/wp-json');
    await copy.pull();
    expect(paired()).toEqual(['/wp-json']);
  });
});
