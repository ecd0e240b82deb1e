import { expect, it } from 'vitest';
import { backward } from '../../../src/cli/records/pages.ts';
import type { Page } from '../../../src/model/calendar.ts';
import { Failure } from '../../../src/model/error.ts';
import type { Query } from '../../../src/model/fields/list.ts';

/** Lists IDs, which `change` may alter after each page. */
function lister(ids: number[], change: (ids: number[]) => void) {
  const list = async ({ page, per_page }: Query = {}): Promise<Page> => {
    const [number, size] = [Number(page), Number(per_page)];
    const entries = ids.slice((number - 1) * size, number * size).map((id) => ({ id }));
    if (!entries.length) throw new Failure('event-archive-page-not-found', 'no such page');
    const result = { entries, total: ids.length, total_pages: Math.ceil(ids.length / size), rest_url: '' };
    change(ids);
    return result;
  };
  return { list };
}

it.each<[string, (ids: number[]) => void, number[]]>([
  ['that holds still', () => {}, [6, 5, 4, 3, 2, 1]],
  ['that gains a record at its beginning', (ids) => void (ids[0] === 1 && ids.unshift(0)), [6, 5, 4, 3, 2, 1, 0]],
  ['that loses its last page', (ids) => void ids.splice(4), [6, 5, 4, 3, 2, 1]],
  ['that loses its first records', (ids) => void (ids[0] === 1 && ids.splice(0, 2)), [6, 5, 4, 3]],
])('a reversed list %s has every record that stays, once', async (_, change, expected) => {
  const collection = lister([1, 2, 3, 4, 5, 6], change);
  const first = { entries: [], total: 6, total_pages: 3, rest_url: '' };
  const ids: number[] = [];
  for await (const { id } of backward(first, collection, {}, 2)) ids.push(id);
  expect(ids).toEqual(expected);
});
