import { describe, expect, it } from 'vitest';
import { asOnSite, isMisdated, isOlder, isUnchangedHere, Pair, winnerOf, withAllDates } from '../../../src/data/remote/pair.ts';
import type { Entry } from '../../../src/model/calendar.ts';
import { resources } from '../../../src/model/resources/all.ts';
import type { RecordForm, StoredPair } from '../../../src/store/identity/sites.ts';

/** Members of a record; undefined ones are missing. */
const present = (members: RecordForm): RecordForm => JSON.parse(JSON.stringify(members));

interface Sides {
  base?: RecordForm;
  /** The base of the site, if it rewrote what was sent. */
  remoteBase?: RecordForm;
  local: RecordForm;
  remote: RecordForm;
  refused?: RecordForm;
  row?: Partial<StoredPair>;
}

/** The pair of event 5 here and event 7 on a site, which have other IDs of venues: ten more. */
function pairOf({ base, remoteBase = base, local, remote, refused, row: more }: Sides): Pair {
  const row: StoredPair = { remote: 7, local: 5, modified: '', withheld: '', refused, ...more };
  const bases = base ? { localBase: present(base), remoteBase: present(remoteBase!) } : {};
  const entry = { ...present(remote), id: 7 } as Entry;
  // Declared fields are those that a site may lack.
  const names = Object.keys({ ...base, ...remoteBase, ...local, ...remote });
  const fields = resources.events.fields
    .filter(({ name }) => names.includes(name))
    .map((field) => Object.assign(Object.create(field), { isDeclared: true }));
  const resource = { ...resources.events, fields };
  const linked = (_: string, id: number) => (id > 90 ? `remote ${id}` : id - 10);
  return new Pair({ resource, id: 5, form: present(local), entry, row: { ...row, ...bases }, linked });
}

type Kind = 'fromLocal' | 'fromRemote' | 'conflicts' | 'refused' | 'none';
/** Group of a merge that the field is in. */
const kindOf = (merge: ReturnType<Pair['merge']>): Kind =>
  (Object.entries(merge).find(([, fields]) => fields.includes('excerpt'))?.[0] ?? 'none') as Kind;

const _ = undefined;
describe.each<
  [base: string | undefined, remoteBase: string | undefined, local: string | undefined, remote: string | undefined, kind: Kind]
>([
  ['a', 'a', 'a', 'a', 'none'],
  ['a', 'a', 'b', 'a', 'fromLocal'],
  ['a', 'a', 'a', 'b', 'fromRemote'],
  ['a', 'a', 'b', 'b', 'none'],
  ['a', 'a', 'b', 'c', 'conflicts'],
  ['a', 'a', '', 'a', 'fromLocal'],
  ['a', 'a', 'a', '', 'fromRemote'],
  ['', '', 'a', '', 'fromLocal'],
  // The site rewrote what was sent.
  ['a', 'A', 'a', 'A', 'none'],
  ['a', 'A', 'b', 'A', 'fromLocal'],
  ['a', 'A', 'a', 'B', 'fromRemote'],
  ['a', 'A', 'b', 'B', 'conflicts'],
  ['a', 'A', 'b', 'b', 'none'],
  ['a', 'A', 'A', 'A', 'none'],
  // Without a base, nothing tells who changed it.
  [_, _, 'a', 'a', 'none'],
  [_, _, 'a', 'b', 'conflicts'],
  [_, 'a', 'b', 'a', 'fromLocal'],
  ['a', _, 'a', 'b', 'fromRemote'],
  // The site doesn't show it.
  ['a', 'a', 'b', _, 'fromLocal'],
  ['a', 'a', 'a', _, 'none'],
  [_, _, 'a', _, 'fromLocal'],
  [_, _, '', _, 'none'],
  // This calendar doesn't have it.
  ['a', 'a', _, 'a', 'none'],
  ['a', 'a', _, 'b', 'conflicts'],
  [_, _, _, 'b', 'conflicts'],
])('a field was %j and %j, is %j here and %j on the site', (base, remoteBase, local, remote, kind) => {
  const sides: Sides = {
    base: { excerpt: base },
    remoteBase: { excerpt: remoteBase },
    local: { excerpt: local },
    remote: { excerpt: remote },
  };

  it(`goes to ${kind}`, () => expect(kindOf(pairOf(sides).merge())).toBe(kind));

  it.each([
    ['ours', 'fromLocal'],
    ['theirs', 'fromRemote'],
  ] as const)('is decided by %s only if both changed it', (prefer, winner) =>
    expect(kindOf(pairOf(sides).merge({ prefer }))).toBe(kind === 'conflicts' ? winner : kind),
  );

  it('is only sent if the record of the site is an older version', () => {
    const isSent = kind === 'fromLocal' || (kind === 'conflicts' && local !== base);
    expect(kindOf(pairOf(sides).merge({ isOld: true }))).toBe(isSent ? 'fromLocal' : 'none');
  });

  it('is not sent again if the site refused it, until either side changes it', () => {
    const isRefused = local !== undefined && local !== remote && local !== base && remote === remoteBase;
    expect(kindOf(pairOf({ ...sides, refused: present({ excerpt: local }) }).merge())).toBe(isRefused ? 'refused' : kind);
    expect(kindOf(pairOf({ ...sides, refused: { excerpt: 'before' } }).merge())).toBe(kind);
  });

  it('differs in a comparison if the site shows it and either side changed it', () => {
    const isShown = remote !== undefined && (kind !== 'none' || local === undefined);
    const direction = kind === 'fromLocal' ? 'here' : kind === 'fromRemote' ? 'there' : 'both';
    expect(pairOf(sides).diff().fields).toEqual(isShown ? { excerpt: { local, remote, direction } } : {});
  });
});

it.each<[Partial<StoredPair>, string | undefined, string | undefined, Kind]>([
  [{ modified: '2027-01-01 10:00:00' }, '2027-01-01 10:00:00', '2027-01-02 10:00:00', 'fromRemote'],
  [{ modified: '2027-01-01 10:00:00' }, '2027-01-02 10:00:00', '2027-01-01 10:00:00', 'fromLocal'],
  [{ modified: '2027-01-01 10:00:00' }, '2027-01-02 10:00:00', '2027-01-02 10:00:00', 'conflicts'],
  [{ modified: '' }, '', '', 'conflicts'],
])('a pair without forms has only the time of the last change: %j, %s here, %s on the site', (row, modified, modified_utc, kind) => {
  const entry = { id: 7, excerpt: 'b', modified_utc } as Entry;
  const stored: StoredPair = { remote: 7, local: 5, modified: '', withheld: '', ...row };
  const pair = new Pair({
    resource: resources.events,
    id: 5,
    form: { excerpt: 'a' },
    modified,
    entry,
    row: stored,
    linked: (__, id) => id,
  });
  expect(kindOf(pair.merge())).toBe(kind);
});

it('a stored pair of another local record has no bases', () => {
  const pair = pairOf({ base: { excerpt: 'a' }, local: { excerpt: 'a' }, remote: { excerpt: 'b' }, row: { local: 6 } });
  expect([kindOf(pair.merge()), pair.row]).toEqual(['conflicts', undefined]);
});

describe('dates', () => {
  const when = { start_date: '2027-01-01 10:00:00', end_date: '2027-01-01 11:00:00', timezone: 'UTC', all_day: false };
  const [utc, other] = [{ utc_start_date: '2027-01-01 10:00:00' }, { utc_start_date: '2027-01-01 09:00:00' }];

  it('in UTC are always those of the site, while the others are equal', () => {
    const sides = { base: { ...when, ...utc }, local: { ...when, ...utc }, remote: { ...when, ...other } };
    expect(pairOf(sides).merge()).toMatchObject({ fromRemote: ['utc_start_date'], fromLocal: [], conflicts: [] });
    const local = { ...when, start_date: '2027-01-01 08:00:00', utc_start_date: '2027-01-01 08:00:00' };
    expect(pairOf({ ...sides, local }).merge()).toMatchObject({ fromRemote: [], fromLocal: ['start_date'] });
  });

  it.each([
    ['events', ['timezone'], ['timezone', 'start_date', 'end_date', 'all_day']],
    ['events', ['title'], ['title']],
    ['venues', ['city'], ['city']],
  ] as const)('an update of %s with %j has %j', (name, fields, all) => expect(withAllDates(name, fields).sort()).toEqual([...all].sort()));
});

it.each([
  ['theirs', false, undefined, 'theirs'],
  ['ours', false, undefined, 'ours'],
  ['theirs', true, undefined, 'conflict'],
  ['ours', true, undefined, 'conflict'],
  ['theirs', false, 'ours', 'theirs'],
  ['ours', false, 'theirs', 'ours'],
  ['theirs', true, 'ours', 'ours'],
  ['theirs', true, 'theirs', 'theirs'],
  ['ours', true, 'ours', 'ours'],
  ['ours', true, 'theirs', 'theirs'],
] as const)('a record that is gone on the side %s, edited on the other one: %s, with --%s: %s', (gone, isEdited, prefer, winner) =>
  expect(winnerOf(gone, isEdited, prefer)).toBe(winner),
);

describe('links', () => {
  it('are compared by local IDs, terms without an order', () => {
    const term = (id: number) => ({ id });
    const remote = { venue: { id: 13 }, tags: [term(12), term(11)] };
    const pair = pairOf({ base: {}, local: { venue: [3], tags: ['1', '2'] }, remote });
    expect(pair.merge()).toEqual({ fromRemote: [], fromLocal: [], conflicts: [], refused: [] });
  });

  it('to a record without a copy are taken when it has one', () => {
    const pair = pairOf({
      base: { venue: [3], excerpt: 'a' },
      remoteBase: { venue: [13], excerpt: 'a' },
      local: { venue: [3], excerpt: 'a' },
      remote: { venue: { id: 91 }, excerpt: 'a' },
    });
    expect(pair.remote.venue).toEqual(['remote 91']);
    expect(pair.toStore().remoteBase).toMatchObject({ venue: [13], excerpt: 'a' });
  });
});

/** `was` is the value on the site before a push, `is` the one after it. */
it.each<[label: string, local: unknown, was: unknown, is: unknown, refused: string[]]>([
  ['taken', 'b', 'a', 'b', []],
  ['rewritten', 'b', 'a', 'B', []],
  ['left as it was', 'b', 'a', 'a', ['excerpt']],
  ['not shown', 'b', 'a', undefined, ['excerpt']],
  ['not shown and empty here', '', 'a', undefined, []],
])('the outcome of a push is %s', (__, local, was, is, refused) => {
  const sides = { base: { excerpt: was as string }, local: { excerpt: local } };
  const before = pairOf({ ...sides, remote: { excerpt: was, cost: '1' } });
  const after = before.with({ id: 7, ...present({ excerpt: is }), cost: '1' } as Entry);
  expect(after.outcome(['excerpt'], ['excerpt', 'cost'], before)).toEqual({ refused, lost: [] });
  const changed = before.with({ id: 7, ...present({ excerpt: is }), cost: '2' } as Entry);
  expect(changed.outcome(['excerpt'], ['excerpt', 'cost'], before)).toEqual({ refused, lost: ['cost'] });
});

it.each<[label: string, local: RecordForm, created: RecordForm, sent: string[], refused: string[]]>([
  ['a value that was sent and is empty is refused', { excerpt: 'b' }, { excerpt: '' }, ['excerpt'], ['excerpt']],
  ['a value that was sent and rewritten is not', { excerpt: 'b' }, { excerpt: 'B' }, ['excerpt'], []],
  ['a value that was not sent is refused', { excerpt: 'b' }, { excerpt: 'B' }, [], ['excerpt']],
  ['another slug is refused', { slug: 'a' }, { slug: 'a-2' }, ['slug'], ['slug']],
  ['the site chooses a slug for none', { slug: '' }, { slug: 'a' }, [], []],
  ['a member that is not a field can’t be refused', { url: 'a' }, { url: 'b' }, [], []],
])('of a new record, %s', (__, local, created, sent, refused) =>
  expect(pairOf({ local, remote: created }).outcome(Object.keys(local), sent).refused).toEqual(refused),
);

describe('a pair that is stored', () => {
  const sides = { base: { excerpt: 'a', title: 'a' }, local: { excerpt: 'b', title: 'b' }, remote: { excerpt: 'c', title: 'c' } };
  const bases = ({ localBase, remoteBase, refused }: StoredPair) => [localBase, { ...remoteBase, id: undefined }, refused];
  it.each<[label: string, options: Parameters<Pair['toStore']>[0], stored: object[]]>([
    ['has both forms', {}, [{ excerpt: 'b', title: 'b' }, { excerpt: 'c', title: 'c' }, {}]],
    [
      'keeps the base of what is still to be sent',
      { pending: ['excerpt'] },
      [{ excerpt: 'a', title: 'b' }, { excerpt: 'c', title: 'c' }, {}],
    ],
    [
      'keeps the base of what is still to be read',
      { unread: ['excerpt'] },
      [{ excerpt: 'b', title: 'b' }, { excerpt: 'a', title: 'c' }, {}],
    ],
    ['has only what was sent', { only: ['title'] }, [{ excerpt: 'a', title: 'b' }, { excerpt: 'a', title: 'c' }, {}]],
    // Both have another value than before, so that the local one has no base.
    [
      'has no base of what was refused and replaced',
      { refused: ['excerpt'] },
      [{ title: 'b' }, { excerpt: 'c', title: 'c' }, { excerpt: 'b' }],
    ],
  ])('%s', (__, options, stored) => expect(bases(pairOf(sides).toStore(options))).toEqual(stored));

  it('has the time of the site and what hides it', () => {
    const { modified, withheld, local, remote } = pairOf({
      ...sides,
      remote: { modified_utc: '2027-01-01 10:00:00' },
      row: { withheld: 'status' },
    }).toStore();
    expect({ modified, withheld, local, remote }).toEqual({ modified: '2027-01-01 10:00:00', withheld: 'status', local: 5, remote: 7 });
    expect(pairOf(sides).isStored).toBe(false);
    expect(
      pairOf({ base: { excerpt: 'a' }, remoteBase: { excerpt: 'a', id: 7 }, local: { excerpt: 'a' }, remote: { excerpt: 'a' } }).isStored,
    ).toBe(true);
  });
});

const due = { status: 'future', date_utc: '2027-01-01 10:00:00' };
it.each<[label: string, form: RecordForm, row: Partial<StoredPair>, status: unknown, expected: RecordForm]>([
  ['hidden here only', { status: 'private' }, { withheld: 'status' }, 'publish', { status: 'publish' }],
  ['private on both sides', { status: 'private' }, {}, 'publish', { status: 'private' }],
  ['published by the clock here', { ...due, status: 'publish' }, { localBase: due }, 'future', due],
  [
    'published by an edit here',
    { status: 'publish', date_utc: '2026-01-01 10:00:00' },
    { localBase: due },
    'future',
    { status: 'publish', date_utc: '2026-01-01 10:00:00' },
  ],
  ['published by both', { ...due, status: 'publish' }, { localBase: due }, 'publish', { ...due, status: 'publish' }],
  ['with another password here', { post_password: 'x' }, { withheld: 'password' }, 'publish', { post_password: '' }],
])('a record as its site would have it: %s', (__, form, row, status, expected) => {
  const stored = { remote: 7, local: 5, modified: '', withheld: '', ...row } as StoredPair;
  expect(asOnSite(form, stored, status)).toEqual(expected);
  expect(asOnSite(form, undefined, status)).toEqual(form);
});

it.each([
  [{ title: 'a' }, true],
  [{ title: 'b' }, false],
  [{ title: 'a', utc_start_date: 'later' }, true],
  [{ title: 'a', cost: '1' }, false],
])('the form %j is unchanged here: %s', (form, isUnchanged) =>
  expect(isUnchangedHere(form, { remote: 7, local: 5, modified: '', withheld: '', localBase: { title: 'a' } })).toBe(isUnchanged),
);

it.each<[modified: string | undefined, stored: string, completed: string | undefined, isOld: boolean, isMisdated: boolean]>([
  ['2027-01-01 10:00:00', '2027-01-01 10:00:01', '2027-01-02 00:00:00', true, false],
  ['2027-01-01 10:00:00', '2027-01-01 10:00:01', '2027-01-01 10:00:01', true, false],
  ['2027-01-01 10:00:00', '2027-01-01 10:00:00', '2027-01-02 00:00:00', false, false],
  ['2027-01-01 10:00:00', '', '2027-01-02 00:00:00', false, false],
  [undefined, '2027-01-01 10:00:00', '2027-01-02 00:00:00', false, false],
  // A scheduled event had its date as the time of its last change.
  ['2026-11-27 10:00:00', '2027-04-01 10:00:00', '2026-11-20 16:05:00', false, true],
  // No pull or push was complete.
  ['2027-01-01 10:00:00', '2027-01-01 10:00:01', undefined, false, true],
])('a record of %s is older than a copy of %s, at the last pull of %s: %s', (modified_utc, modified, completed, isOld, isWrong) => {
  const entry = { id: 7, modified_utc } as Entry;
  const row: StoredPair = { remote: 7, local: 5, modified, withheld: '' };
  expect([isOlder(entry, row, completed), isMisdated(entry, row, completed)]).toEqual([isOld, isWrong]);
  expect(isOlder(entry, undefined, completed)).toBe(false);
});
