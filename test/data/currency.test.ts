import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Calendar, createCalendar } from '../../bin/library.ts';
import { costDetails, costFrom, formatCost } from '../../src/model/fields/cost-format.ts';
import { servers } from '../support/serving.ts';
import { folder, run, words } from '../support/transcript.ts';

const { path, remove } = folder();
const dates = { start_date: '2027-03-05 20:00', end_date: '2027-03-05 22:00' };
const euros = { currency: '€', currency_position: 'postfix', currency_code: 'EUR' };
const costs = ['12', '7,50', '£5', 'Free', 'CHF 20', ['0', '12'], ['8', '12'], ['€8', '€12']];
let calendar: Calendar;
beforeAll(async () => {
  calendar = await createCalendar({ now: '2027-03-01T09:00Z', settings: { ...euros, per_page: 50, radius: 5.5 } });
  for (const [at, cost] of costs.entries()) await calendar.events.create({ ...dates, title: `Event ${at}`, cost: cost as never });
});
afterAll(async () => {
  await calendar.close();
  remove();
});
const shownIn = async ({ events }: Pick<Calendar, 'events'>) =>
  (await events.list()).events.sort((a, b) => a.title.localeCompare(b.title)).map(({ cost }) => cost);
const shown = ['12€', '7,50€', '£5', 'Free', 'CHF20', 'Free – 12€', '8€ – 12€', '€8 – €12'];

it('is the sign of prices without one, and the code of those with one', async () => {
  expect(await shownIn(calendar)).toEqual(shown);
  const [plain, , signed] = (await calendar.events.list()).events.sort((a, b) => a.title.localeCompare(b.title));
  expect((await calendar.events.get(plain!.id)).json_ld).toMatchObject({ offers: { price: '12', priceCurrency: 'EUR' } });
  expect(plain!.cost_details).toMatchObject({ currency_symbol: '', currency_code: '', values: ['12'] });
  expect(signed!.cost_details).toMatchObject({ currency_symbol: '£', currency_code: 'EUR', currency_position: 'prefix' });
});

it.each(['json', 'ndjson', 'ics', 'csv'] as const)('stays in a copy as %s', async (format) => {
  const file = join(path, `town.${format}`);
  writeFileSync(file, await calendar.data.export({ format }));
  await using copy = await createCalendar({ seed: file, now: '2027-03-01T09:00Z', listen: false, settings: euros });
  expect(await shownIn(copy)).toEqual(shown);
  // An export has the settings, and tables the prices as they are stored.
  await using plain = await createCalendar({ seed: file, now: '2027-03-01T09:00Z', listen: false });
  if (format !== 'csv') expect(await shownIn(plain)).toEqual(shown);
});

it('stays in a calendar with another currency that pulls from it', async () => {
  await using copy = await createCalendar({ listen: false });
  await copy.data.pull({ root: calendar.url });
  expect(await shownIn(copy)).toEqual(shown);
  expect(await copy.data.push({ root: calendar.url, dry_run: true })).toMatchObject({ updated: 0 });
});

it.each(costs.map((cost) => [[cost].flat()]))('the prices %j of a site are the same there and here', (raws) => {
  for (const currency of [
    undefined,
    { symbol: '€', code: 'EUR', position: 'postfix' as const },
    { symbol: 'kr', code: '', position: 'prefix' as const },
  ]) {
    const text = formatCost(raws, currency);
    expect(formatCost(costFrom(text, costDetails(raws, currency)), currency)).toBe(text);
  }
});

it('is read by config detect from the events of a site, and serve follows it', async () => {
  const cwd = join(path, 'project');
  mkdirSync(cwd);
  expect(await run(words(`config detect ${calendar.url}`), { cwd })).toMatchObject({ exit: 0, stdout: '' });
  const config = readFileSync(join(cwd, 'calendar.config.json'), 'utf8');
  expect(JSON.parse(config).serve.settings).toEqual({ title: 'Calendar', ...euros });
  const { said, stop } = await servers(cwd)('--memory --quiet');
  expect(await (await fetch(new URL('/_calendar/settings', said.url))).text()).toContain('"€"');
  await stop();
});

it.each([
  ['currency', '€', 0],
  ['currency', 'kr', 0],
  ['currency', '', 2],
  ['currency', '5', 2],
  ['currency', 'a long text', 2],
  ['currency_position', 'postfix', 0],
  ['currency_position', 'behind', 2],
  ['currency_code', 'EUR', 0],
  ['currency_code', '', 0],
  ['currency_code', 'euro', 2],
])('settings set %s %j exits with %i', async (name, value, exit) => {
  const { stdout, stderr, exit: code } = await run(['settings', 'set', name, value, '--db', join(path, 'own.db')]);
  expect([code, stdout]).toEqual([exit, '']);
  if (exit) expect(stderr).toContain(`Invalid ${name} ${JSON.stringify(value)}: must be `);
});

it('a setting is a number in the control API and in options', async () => {
  const settings = Object.fromEntries((await calendar.settings.list()).map(({ name, value }) => [name, value]));
  expect(settings).toMatchObject({ per_page: '50', radius: '5.5' });
  const change = (body: string) =>
    fetch(`${calendar.control}/settings`, { method: 'PATCH', headers: { 'Content-Type': 'application/json' }, body });
  expect((await change('{"per_page": 20}')).status).toBe(200);
  expect((await change('{"per_page": 0}')).status).toBe(400);
  await using world = await calendar.worlds.create({ from: 'demo', settings: { per_page: 3 } });
  expect((await world.events.list()).events).toHaveLength(3);
});

it('is in the details of an event that was made in a form without a price, until the API updates it', async () => {
  const seed = { events: { a: { title: 'A', start_date: '2027-03-02 19:00', end_date: '2027-03-02 20:00', cost: '' } } };
  await using town = await createCalendar({ seed, settings: euros, listen: false });
  const { id, cost, cost_details } = await town.events.get('a');
  const ofForm = {
    currency_symbol: euros.currency,
    currency_code: 'EUR',
    currency_position: expect.stringMatching(/^(prefix|suffix)$/),
    values: [],
  };
  expect([cost, cost_details]).toEqual(['', ofForm]);
  await using copy = await createCalendar({ listen: false, settings: euros });
  await copy.data.import({ text: await town.data.export({ format: 'json' }), format: 'json' });
  expect((await copy.events.get('a')).cost_details).toEqual(ofForm);
  const none = { currency_symbol: '', currency_code: '', currency_position: '', values: [] };
  expect((await town.events.update(id, { title: 'B' })).cost_details).toEqual(none);
  expect((await town.events.create({ title: 'C', start_date: '2027-03-02', end_date: '2027-03-02', cost: '' })).cost_details).toEqual(none);
});
