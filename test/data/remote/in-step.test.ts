import { describe, expect, it } from 'vitest';
import { inStep, sitesIn } from '../../../src/data/remote/status.ts';
import { SiteState } from '../../../src/store/identity/sites.ts';
import { day, SiteCopy } from '../../support/site-copy.ts';

const hour = 3_600_000;
const at = '2026-11-20T16:00:00.000Z';
const counts = {
  ...{ site: 'example.org/wp-json/x/v1', address: null, pulled: at, pushed: null, part: null, remote_changes: 0, conflicts: 0 },
  ...{ local: { created: 0, updated: 0, deleted: 0 }, left: [], interrupted: 0, not_accepted: 0, protected: 0 },
};

describe('the line', () => {
  it.each([
    [{}, true, 'In step with example.org, 5 min ago'],
    [{ pulled: null, pushed: at }, true, 'In step with example.org, 5 min ago'],
    [{ pushed: '2026-11-20T16:04:30.000Z' }, true, 'In step with example.org, just now'],
    [{ pulled: '2027-01-01T00:00:00.000Z' }, true, 'In step with example.org, just now'],
    [{ not_accepted: 2 }, true, 'In step with example.org but for 2 values that the site does not take, 5 min ago'],
    [{ protected: 1 }, true, 'In step with example.org but for 1 record with a password, 5 min ago'],
    [
      { conflicts: 2, local: { created: 1, updated: 1, deleted: 1 } },
      false,
      'Not in step with example.org: 2 conflicts, 3 edits not sent: calendar conflicts list',
    ],
    [{ remote_changes: 1, left: [{ at: '', reason: '' }] }, false, 'Not in step with example.org: 2 changes of the site not copied'],
    [
      { interrupted: 1, not_accepted: 1 },
      false,
      'Not in step with example.org: 1 record of an interrupted push, 1 value that the site does not take',
    ],
    [
      { part: { what: 'pulled' as const, at, only: ['tags' as const] } },
      true,
      'In step with example.org, 5 min ago; only tags pulled 5 min ago',
    ],
    [{ pulled: null, conflicts: 1 }, null, 'Not copied completely yet: example.org'],
  ])('of %j', (more, isInStep, text) => {
    expect(inStep({ ...counts, ...more }, 'example.org', Date.parse('2026-11-20T16:05:00.000Z'))).toEqual({ isInStep, text });
  });
});

describe('the state', () => {
  const copy = new SiteCopy();
  const sites = () => sitesIn(copy.here, () => false, copy.now);
  const other = () => new SiteState(copy.here.db, 'other.example/wp-json/x/v1');
  const text = () => sites()[0]!.text.replace(/ with [^ :,]+/, '');

  it.each<[string, () => unknown, string]>([
    ['nothing', () => {}, 'In step, just now'],
    [
      'one field on both sides, and another record',
      async () => {
        await copy.update('here', { cost: '99' });
        await copy.update('there', { cost: '7' });
        await copy.update('here', { city: 'Elsewhere' }, 'venues', 'town-hall');
        await copy.pull();
      },
      'Not in step: 1 conflict, 1 edit not sent: calendar conflicts list',
    ],
    [
      'another field of a record in conflict',
      async () => {
        await copy.update('here', { cost: '99', featured: true });
        await copy.update('there', { cost: '7' });
        await copy.pull();
      },
      'Not in step: 1 conflict, 1 edit not sent: calendar conflicts list',
    ],
    [
      'a record that was deleted here and edited there',
      async () => {
        await copy.delete('here', 'tags', 'free');
        await copy.update('there', { description: 'Edited' }, 'tags', 'free');
        await copy.pull();
      },
      'Not in step: 1 conflict, 1 edit not sent: calendar conflicts list',
    ],
    [
      'a record that the site deleted',
      async () => {
        await copy.delete('there');
        await copy.pull();
      },
      'Not in step: 1 change of the site not copied',
    ],
    [
      'a record that the site edited, at a push',
      async () => {
        await copy.update('there', { cost: '7' });
        await copy.push();
      },
      'Not in step: 1 change of the site not copied',
    ],
    [
      'an interrupted push',
      () => copy.change('here', () => stateOf().mark('tags', 99, 0, {})),
      'Not in step: 1 record of an interrupted push',
    ],
    [
      'a new record with a password',
      () => copy.change('here', (local) => local.events.create({ title: 'Secret', post_password: 'x', ...day })),
      'In step but for 1 record with a password, just now',
    ],
    [
      'a value that the site did not accept',
      () =>
        copy.change('here', () => {
          const [pair] = stateOf().pairs('events');
          stateOf().set('events', { ...pair!, refused: { cost: pair!.localBase!.cost } });
        }),
      'In step but for 1 value that the site does not take, just now',
    ],
    [
      'a copy of another site',
      () =>
        copy.change('here', (local) => {
          const { id } = local.tags.create({ name: 'Theirs' }) as { id: number };
          other().set('tags', { remote: 5, local: id, modified: '', withheld: '' });
        }),
      'In step, just now',
    ],
    [
      'a pull of tags an hour later',
      async () => {
        copy.now += hour;
        await copy.pull({ only: ['tags'] });
      },
      'In step, 1 h ago; only tags pulled just now',
    ],
    [
      'a whole pull after one of tags',
      async () => {
        await copy.pull({ only: ['tags'] });
        await copy.pull();
      },
      'In step, just now',
    ],
  ])('after %s', async (_, work, expected) => {
    await work();
    expect(text()).toBe(expected);
  });

  it('is unknown while the site fails, and of a site that was copied in part', async () => {
    expect(sitesIn(copy.here, () => true, copy.now)).toMatchObject([{ in_step: null }]);
    await copy.change('here', () => other().finishPart({ what: 'pulled', at, only: ['tags'] }));
    expect(sites()).toMatchObject([
      { in_step: true },
      { in_step: null, text: expect.stringMatching(/^Not copied completely yet: other\.example;/) },
    ]);
  });

  it('names the records that a pull left, and is counted once for each version of the calendar', async () => {
    await copy.delete('there');
    await copy.pull();
    const [first] = sites();
    expect(first!.left).toEqual([
      { at: expect.stringMatching(/^events \d+ \(Summer Concert\)$/), reason: expect.stringContaining('deleted on the site') },
    ]);
    expect(sites()[0]!.left).toBe(first!.left);
    await copy.pull({ delete: true });
    expect(text()).toBe('In step, just now');
  });

  const stateOf = () => new SiteState(copy.here.db, SiteState.named(copy.here.db)[0]!);
});
