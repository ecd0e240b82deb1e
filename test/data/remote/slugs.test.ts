import { describe, expect, it } from 'vitest';
import { type Difference, diff } from '../../../src/data/remote/diff.ts';
import type { Site } from '../../../src/data/remote/site.ts';
import { sitesIn } from '../../../src/data/remote/status.ts';
import { type Calendar, type Input, type ResourceName, resourceNames } from '../../../src/model/calendar.ts';
import { Failure } from '../../../src/model/error.ts';
import { resources } from '../../../src/model/resources/all.ts';
import { countsOf, day, SiteCopy } from '../../support/site-copy.ts';

const copy = new SiteCopy();

/** The site with one record on a page, which refuses an occupied slug of a term as WordPress does. */
function slowSite(): Site {
  const remote = copy.site.remote();
  const refusing = async <T>(work: Promise<T> | T): Promise<T> => {
    try {
      return await work;
    } catch (error) {
      if (!(error instanceof Failure) || error.code !== 'duplicate_term_slug') throw error;
      throw new Failure('server-failure', error.message, undefined, { remote_code: 'duplicate_term_slug', status: 500 });
    }
  };
  const collections = resourceNames.map((name) => {
    const own = remote.calendar[name];
    const list: typeof own.list = (query) => own.list({ ...query, per_page: '1' });
    return [
      name,
      {
        ...own,
        list,
        create: (input: Input) => refusing(own.create(input)),
        update: (ref: never, input: Input) => refusing(own.update(ref, input)),
      },
    ];
  });
  return { ...remote, calendar: Object.fromEntries(collections) as Calendar };
}

async function differences(): Promise<unknown[]> {
  const found: unknown[] = [];
  for await (const each of diff(copy.here, copy.remote ?? copy.site.remote(), { problems: [] }))
    found.push((each as Difference).fields ?? each);
  return found;
}

/** True if status says that the file is in step. Then, and only then, diff, a dry push and a dry pull find nothing. */
async function isInStep({ isPushed = false } = {}): Promise<boolean> {
  // The copy then shows pushed records as the site does.
  if (isPushed) await copy.pull();
  const status = sitesIn(copy.here, () => false, copy.now)[0]!.in_step;
  const found = await differences();
  const [pulled, pushed] = [await copy.pull({ dryRun: true }), await copy.push({ dryRun: true })];
  const isIdle = ({ counts, conflicts, problems, left }: typeof pulled) =>
    counts.created + counts.updated + counts.deleted + conflicts.length + problems.length + left.length === 0;
  expect({ isEmpty: found.length === 0, isIdle: isIdle(pulled) && isIdle(pushed) }).toEqual({ isEmpty: status, isIdle: status });
  return status!;
}

const create = (side: 'here' | 'there', name: ResourceName, slug: string) =>
  copy.change(side, (local) => local[name].create({ [resources[name].label]: slug.toUpperCase(), slug, ...(name === 'events' && day) }));

/** Gives records, by their labels, other slugs. */
const rename = (side: 'here' | 'there', name: ResourceName, slugs: Record<string, string>) =>
  copy.change(side, (local) => {
    const { label } = resources[name];
    const ids = Object.entries(slugs).map(([from, to]) => ({
      to,
      id: [...local.sources(name)].find((each) => each[label] === from.toUpperCase())!.id,
    }));
    for (const { id } of ids) local[name].update({ id }, { slug: `free-${id}` });
    for (const { id, to } of ids) local[name].update({ id }, { slug: to });
  });

const slugsOf = (side: 'here' | 'there', name: ResourceName, labels: readonly string[]) =>
  labels.map((label) =>
    ['a', 'b', 'c', 'd', label].find((slug) => copy.shown(side, name, slug)?.[resources[name].label] === label.toUpperCase()),
  );

describe.each(['events', 'categories', 'tags'] as const)('slugs of %s', (name) => {
  describe.each([
    ['two records exchange', { a: 'b', b: 'a' }],
    ['three records exchange', { a: 'b', b: 'c', c: 'a' }],
    ['a chain moves, first to last', { a: 'b', b: 'c', c: 'd' }],
    ['a chain moves, last to first', { c: 'b', b: 'a', a: 'd' }],
  ] as [string, Record<string, string>][])('that %s', (_, slugs) => {
    const labels = Object.keys(slugs);
    it.each([
      ['there', 'pull', false],
      ['there', 'pull', true],
      ['here', 'push', false],
      ['here', 'push', true],
    ] as const)('%s are the same on both sides after one %s (a record on each page: %s)', async (side, command, isSlow) => {
      for (const slug of ['a', 'b', 'c']) await create('there', name, slug);
      if (isSlow) copy.remote = slowSite();
      await copy.pull();
      expect(await isInStep()).toBe(true);
      await rename(side, name, slugs);
      // Only a pull notices what the site changed.
      if (side === 'here') expect(await isInStep()).toBe(false);
      const { problems, conflicts } = await copy[command]();
      expect([problems, conflicts]).toEqual([[], []]);
      for (const each of ['here', 'there'] as const) expect(slugsOf(each, name, labels)).toEqual(Object.values(slugs));
      expect(await isInStep({ isPushed: side === 'here' })).toBe(true);
      expect(countsOf(await copy.pull())).toMatch(/^\d+ unchanged$/);
    });
  });

  it('that another record has here are not copied, which is said, until it has another one', async () => {
    await create('there', name, 'a');
    await create('here', name, 'b');
    await copy.pull();
    await rename('there', name, { a: 'b' });
    const { left } = await copy.pull();
    expect(left.map(({ reason }) => reason)).toEqual([
      expect.stringMatching(new RegExp(`^the site has its slug "b", which ${name} \\d+ has here$`)),
    ]);
    expect(await isInStep()).toBe(false);
    await rename('here', name, { b: 'c' });
    await copy.pull();
    expect(slugsOf('here', name, ['a', 'b'])).toEqual(['b', 'c']);
    await copy.push();
    expect(await isInStep({ isPushed: true })).toBe(true);
  });
});
