import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Calendar, connectCalendar, createCalendar } from '../../bin/library.ts';
import { resourceNames } from '../../src/model/calendar.ts';
import { isTerms } from '../../src/model/resources/names.ts';
import { globalNames, listNames } from '../../src/model/unknown-names.ts';

/** A calendar without types. */
type Loose = Record<'requests' | 'faults' | 'clock', Record<LooseName, (...values: unknown[]) => Promise<unknown>>>;
type LooseName = 'verify' | 'count' | 'clear' | 'waitFor' | 'hold' | 'advance';

let calendar: Calendar;
let connection: Calendar;
beforeAll(async () => {
  calendar = await createCalendar();
  connection = await connectCalendar(calendar.url);
});
afterAll(async () => {
  await connection.close();
  await calendar.close();
});
const send = (path: string, init?: RequestInit) => fetch(calendar.url + path, init);

describe.each(['in this process', 'over HTTP'])('arguments %s', (place) => {
  const at = () => (place === 'over HTTP' ? connection : calendar);

  /** Calls that a compiler refuses, or that mean something else than they say. */
  it.each<[string, (each: Loose) => Promise<unknown>, string]>([
    ['a number for expectations', ({ requests }) => requests.verify({}, 5), 'Expected an object with named values, not 5'],
    ['an expectation that is undefined', ({ requests }) => requests.verify({}, { exactly: undefined }), 'exactly is undefined'],
    ['an unknown expectation', ({ requests }) => requests.verify({}, { exacly: 1 }), 'exacly: unknown field. Did you mean exactly?'],
    ['a third argument', ({ requests }) => requests.verify({}, { exactly: 0 }, 5), 'verify takes 2 arguments, not 3'],
    ['a path for a match', ({ requests }) => requests.count('/tags'), 'match: must be an object'],
    ['an unknown part of a match', ({ requests }) => requests.verify({ pth: '/tags' }), 'match.pth: unknown field'],
    ['a part of a match that is undefined', ({ requests }) => requests.verify({ path: undefined }), 'path is undefined'],
    ['a parameter that is undefined', ({ requests }) => requests.clear({ query: { page: undefined } }), 'query.page is undefined'],
    ['a number for options of a wait', ({ requests }) => requests.waitFor({}, 5), 'Expected an object with named values, not 5'],
    ['a number for options of a hold', ({ faults }) => faults.hold({}, 5), 'Expected an object with named values, not 5'],
    ['a match for clear of faults', ({ faults }) => faults.clear({ path: '/tags' }), 'clear takes no arguments, not 1'],
    ['an unknown option of a hold', ({ faults }) => faults.hold({}, { time: 1 }), 'time: unknown field. Did you mean times or timeout?'],
    ['a second argument of a clock', ({ clock }) => clock.advance('1h', 5), 'advance takes one argument, not 2'],
  ])('are refused: %s', async (_, call, message) => {
    await send('/tags');
    const before = await at().requests.count();
    await expect(call(at() as unknown as Loose)).rejects.toThrow(message);
    expect(await at().requests.count()).toBe(before);
  });

  it.each(
    resourceNames.flatMap((name) => [
      ...globalNames.filter((each) => !['_uid', 'context', 'password'].includes(each)).map((each) => [name, each] as const),
      ...(isTerms(name) ? [] : listNames.map((each) => [name, each] as const)),
    ]),
  )('are refused where they have no effect: %s.list({ %s })', async (name, parameter) => {
    const list = at()[name].list as (parameters: object) => Promise<unknown>;
    await expect(list({ [parameter]: 'id' })).rejects.toThrow(`Invalid ${parameter}: has no effect here`);
  });

  it('have their effect otherwise', async () => {
    const { tags } = await at().tags.list({ hide_empty: false, orderby: 'id', order: 'desc', context: 'view' } as never);
    expect(tags).toEqual([]);
    for (const call of [() => at().events.get(1, { _fields: 'id' } as never), () => at().tags.create({ name: 'a', _embed: 1 } as never)])
      await expect(call()).rejects.toThrow('has no effect here');
  });

  it('of clear select the requests to delete', async () => {
    await at().requests.clear();
    for (const path of ['/tags', '/venues', '/tags?page=1', '/events']) await send(path);
    await send('/venues', { method: 'POST', body: '{"venue": "Hall"}', headers: { 'Content-Type': 'application/json' } });
    const ids = async () => (await at().requests.list()).requests.map(({ id }) => id);
    expect(await at().requests.clear({ path: '/nowhere*' })).toBe(0);
    expect(await at().requests.clear({ path: '/tags' })).toBe(2);
    expect(await ids()).toEqual([2, 4, 5]);
    expect(await at().requests.clear({ body: { venue: 'Hall' } })).toBe(1);
    await send('/tags');
    expect(await ids()).toEqual([2, 4, 6]);
    expect(await at().requests.list()).toMatchObject({ total: 6, dropped: 0 });
    expect(await at().requests.clear({})).toBe(6);
    await send('/tags');
    expect(await ids()).toEqual([1]);
  });

  it('of clear can select a request that is held, which is not added again when it ends', async () => {
    await at().requests.clear();
    const held = await at().faults.hold({ path: '/venues' });
    const sent = send('/venues');
    await held.arrived();
    await send('/tags');
    expect(await at().requests.clear({ path: '/venues' })).toBe(1);
    await held.release();
    expect((await sent).status).toBe(200);
    expect((await at().requests.list()).requests.map(({ path }) => path)).toEqual([expect.stringMatching(/\/tags$/)]);
  });
});

it('a log of few requests has room again after some were deleted', async () => {
  await using small = await createCalendar({ journal: 3 });
  const paths = async () => (await small.requests.list()).requests.map(({ path, query }) => path.split('/').pop() + query);
  for (const page of [1, 2, 3, 4]) await small.fetch(`${small.url}/tags?${page}`);
  await small.requests.clear({ query: { 3: '*' } });
  expect(await paths()).toEqual(['tags2', 'tags4']);
  for (const page of [5, 6]) await small.fetch(`${small.url}/venues?${page}`);
  expect(await paths()).toEqual(['tags4', 'venues5', 'venues6']);
  expect((await small.requests.list()).dropped).toBe(2);
});
