import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openCalendar, type Store } from '../../../src/store/calendar.ts';
import { SiteState, siteKey } from '../../../src/store/identity/sites.ts';

let store: Store;
beforeAll(async () => {
  store = await openCalendar(':memory:', { mode: 'write', now: () => 0 });
});
afterAll(() => store.close());

const pair = (remote: number, local: number) => ({
  remote,
  local,
  modified: '',
  withheld: '' as const,
  localBase: { title: 'A' },
  remoteBase: { title: 'B' },
});

it('a pair is found by either record, also under another name of the site', () => {
  const state = new SiteState(store.db, 'a.example');
  state.set('events', pair(1, 11));
  const found = { ...pair(1, 11) };
  expect(state.ofRemote('events', 1)).toEqual(found);
  expect(state.ofLocal('events', 11)).toEqual(found);
  expect(state.localOf('events', 1)).toBe(11);
  const other = new SiteState(store.db, 'b.example');
  expect(other.localOf('events', 1)).toBeUndefined();
  other.set('events', pair(1, 12));
  other.set('events', pair(2, 13));
  state.addAlias('b.example');
  expect(SiteState.aliasOf(store.db, 'b.example')).toBe('a.example');
  expect([state.ofRemote('events', 1), state.localOf('events', 2)]).toEqual([found, 13]);
});

describe('a site that takes over another one', () => {
  const left = (at: string) => [{ at, reason: 'deleted on the site' }];
  const told = (reason: string, state: SiteState) => state.standing({ at: 'x', reason });
  const rows: [string, (state: SiteState) => void][] = [
    ['a whole pull', (state) => state.finish('pulled', '2027-01-01', 1, left('a'))],
    ['a later push', (state) => state.finish('pushed', '2027-01-02', 2, left('b'))],
    ['a part', (state) => state.finishPart({ what: 'pulled', at: '2027-01-03', only: ['tags'] })],
    ['a served copy', (state) => state.serve('brand/events/v1', true)],
    ['a note', (state) => void told('hidden', state)],
  ];

  it.each(rows)('has what the other one has: %s', (_, fill) => {
    const [own, other] = [new SiteState(store.db, 'own.example'), new SiteState(store.db, 'other.example')];
    fill(other);
    other.keep('https://other.example/wp-json/brand/events/v1');
    const before = other.row;
    own.addAlias(other.site);
    expect([own.row, other.row]).toEqual([{ ...before, site: own.site }, undefined]);
    store.db.run('delete from sites');
  });

  it.each([
    ['it', 0, 1],
    ['the other one', 1, 0],
  ])('has what the last whole pull or push left, which was of %s', (_, earlier, later) => {
    const sites = ['own.example', 'other.example'].map((site) => new SiteState(store.db, site)) as [SiteState, SiteState];
    sites[earlier]!.finish('pulled', '2027-01-01', 1, left('earlier'));
    sites[later]!.finish('pushed', '2027-01-02', 2, left('later'));
    for (const state of sites) {
      told(state.site, state);
      state.keep(`https://${state.site}/wp-json/brand/events/v1`);
    }
    sites[0].addAlias(sites[1].site);
    expect(sites[0].row).toMatchObject({
      ...{ pulled: '2027-01-01', pushed: '2027-01-02', remote_changes: 2, leftovers: JSON.stringify(left('later')) },
      ...{ address: 'https://own.example/wp-json/brand/events/v1', told: '["own.example","other.example"]' },
    });
    store.db.run('delete from sites');
  });
});

it('a new pair replaces those of either record', () => {
  const state = new SiteState(store.db, 'a.example');
  state.set('events', pair(2, 11));
  expect(state.localOf('events', 1)).toBeUndefined();
  state.set('events', pair(2, 12));
  expect(state.ofLocal('events', 11)).toBeUndefined();
});

it.each([
  ['equal forms', { a: 1, b: ['x'] }, { a: 1, b: ['x'] }],
  ['forms that differ', { a: 1, b: ['x'], c: '' }, { a: 2, b: ['y'], d: null }],
  ['empty forms', {}, {}],
])('%s are stored as given', (_, localBase, remoteBase) => {
  const state = new SiteState(store.db, 'c.example');
  const given = { ...pair(1, 21), localBase, remoteBase };
  state.set('venues', given);
  expect(state.ofRemote('venues', 1)).toEqual(given);
  // Without both, they stay.
  state.set('venues', { ...given, remoteBase: undefined, modified: 'later' });
  expect([...state.ofPage('venues', [1, 2])]).toEqual([[1, { ...given, modified: 'later' }]]);
  expect(state.pairs('venues', new Set([2]))).toHaveLength(1);
  expect(state.pairs('venues', new Set([1]))).toEqual([]);
});

it('equal forms take their length once', () => {
  const pages = () => store.db.get<{ page_count: number }>('pragma page_count')!.page_count;
  const [state, before, count] = [new SiteState(store.db, 'd.example'), pages(), 300];
  const form = { description: 'x'.repeat(1200) };
  for (let id = 1; id <= count; id++) state.set('events', { ...pair(id, id), localBase: form, remoteBase: form });
  // A page has 4096 bytes.
  expect((pages() - before) / count).toBeLessThan(0.5);
});

it('no statement searches all pairs of a resource', () => {
  const plans: string[] = [];
  const { get, all, run } = store.db;
  const explained = <Method extends (sql: string, ...values: never[]) => unknown>(method: Method) =>
    ((sql: string, ...values: never[]) => {
      plans.push(...all.call(store.db, `explain query plan ${sql}`).map((row) => String((row as { detail: string }).detail)));
      return method.call(store.db, sql, ...values);
    }) as Method;
  const db = Object.assign(Object.create(store.db), { get: explained(get), all: explained(all), run: explained(run) });
  const state = new SiteState(db, 'a.example');
  state.set('events', pair(3, 13));
  state.set('events', pair(4, 13));
  state.ofRemote('events', 4);
  state.ofLocal('events', 13);
  state.drop('events', 4);
  expect(plans.length).toBeGreaterThan(4);
  for (const plan of plans.filter((text) => /SEARCH|SCAN/.test(text))) expect(plan).toMatch(/AND (remote|local)=\?/);
});

it.each([
  ['https://www.example.org/wp-json/x/v1', 'example.org/wp-json/x/v1'],
  ['http://example.org/wp-json/x/v1/', 'example.org/wp-json/x/v1'],
  ['http://127.0.0.1:8080/x/v1', 'localhost:8080/x/v1'],
  ['http://[::1]:8080/x/v1', 'localhost:8080/x/v1'],
  ['https://example.org/shop/?rest_route=/x/v1', 'example.org/shop/wp-json/x/v1'],
  ['https://example.org/index.php?rest_route=/x/v1/', 'example.org/wp-json/x/v1'],
  ['https://example.org/wp-json/?rest_route=/x/v1', 'example.org/wp-json/x/v1'],
  ['https://example.org/index.php/wp-json/x/v1', 'example.org/wp-json/x/v1'],
  ['https://example.org/shop/index.php/wp-json/x/v1', 'example.org/shop/wp-json/x/v1'],
])('%s is the site %s', (address, site) => {
  expect(siteKey(address)).toBe(site);
});
