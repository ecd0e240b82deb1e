import { expect, it } from 'vitest';
import type { Page } from '../../src/model/calendar.ts';
import { Failure } from '../../src/model/error.ts';
import { everyRecord, steadyPages } from '../../src/model/paging.ts';

const perPage = 2;
/** A list of records that `change` may alter after each page. */
function lister(ids: number[], change: (page: number, ids: number[]) => void = () => {}, claimed?: number) {
  let reads = 0;
  const list = async (number: number): Promise<Page> => {
    if (++reads > 100) throw new Error('it reads for ever');
    const entries = ids.slice((number - 1) * perPage, number * perPage).map((id) => ({ id }));
    const total_pages = claimed ?? Math.ceil(ids.length / perPage);
    if (!entries.length && number > 1 && claimed === undefined) throw new Failure('event-archive-page-not-found', 'no such page');
    const page = { entries, total: ids.length, total_pages, rest_url: '' };
    change(number, ids);
    return page;
  };
  return { list, reads: () => reads };
}
async function idsOf(pages: AsyncIterable<Page>): Promise<number[]> {
  const ids: number[] = [];
  for await (const { entries } of pages) ids.push(...entries.map(({ id }) => id));
  return ids;
}

it.each<[string, number[], ((page: number, ids: number[]) => void) | undefined, number[]]>([
  ['that holds still', [1, 2, 3, 4, 5], undefined, [1, 2, 3, 4, 5]],
  ['that is empty', [], undefined, []],
  [
    'that loses records while it is read',
    [1, 2, 3, 4, 5, 6],
    (page, ids) => void (page === 1 && ids[0] === 1 && ids.splice(0, 2)),
    [1, 2, 5, 6, 3, 4],
  ],
  ['whose last page goes', [1, 2, 3, 4], (page, ids) => void (page === 1 && ids[0] === 1 && ids.splice(0, 2)), [1, 2, 3, 4]],
  ['that gains records at its beginning', [2, 3, 4], (page, ids) => void (page === 1 && ids[0] === 2 && ids.unshift(1)), [2, 3, 4, 1]],
])('a list %s gives every record that stays, once', async (_, ids, change, expected) => {
  expect(await idsOf(steadyPages(lister(ids, change).list))).toEqual(expected);
});

it('does not believe a number of pages', async () => {
  const { list, reads } = lister([1, 2, 3], undefined, 100_000_000);
  expect(await idsOf(steadyPages(list))).toEqual([1, 2, 3]);
  expect(reads()).toBeLessThan(10);
});

it('ends where every page is the same', async () => {
  const same = async (): Promise<Page> => ({ entries: [{ id: 1 }], total: 9, total_pages: 9, rest_url: '' });
  expect(await idsOf(steadyPages(same))).toEqual([1]);
});

it('fails if the list keeps changing', async () => {
  let id = 100;
  const { list } = lister([1, 2, 3], (_, ids) => void ids.unshift(id++));
  await expect(idsOf(steadyPages(list))).rejects.toMatchObject({ code: 'busy' });
});

it.each([
  ['a total that stays', () => 4],
  ['a total that grows with every page', (number: number) => number * 50],
  ['no total', () => Number.NaN],
])('stops a list without an end, with %s', async (_, total) => {
  let reads = 0;
  const endless = async (number: number): Promise<Page> => {
    reads += 1;
    const entries = Array.from({ length: 20 }, (_, at) => ({ id: number * 20 + at }));
    return { entries, total: total(number), total_pages: 0, next_rest_url: 'next', rest_url: '' };
  };
  await expect(idsOf(steadyPages(endless, 1, 1000))).rejects.toMatchObject({
    code: 'not-a-calendar',
    message: expect.stringContaining('total of'),
  });
  expect(reads).toBeLessThan(60);
});

it('lists every record of a server whose records are deleted between pages, and starts with the page that was read before', async () => {
  const change = (page: number, ids: number[]) => void (page === 1 && ids[0] === 1 && ids.splice(0, 2));
  const { list, reads } = lister([1, 2, 3, 4, 5, 6], change);
  const first = await list(1);
  const ids: number[] = [];
  for await (const { id } of everyRecord({ list: ({ page } = {}) => list(Number(page)) }, {}, { first })) ids.push(id);
  expect(ids.sort()).toEqual([1, 2, 3, 4, 5, 6]);
  expect(reads()).toBeGreaterThan(3);
});
