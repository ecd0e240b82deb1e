import { readFileSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import { exportCalendar } from '../../../src/data/export.ts';
import { formatCost } from '../../../src/model/fields/cost-format.ts';
import { typedCost } from '../../../src/model/fields/typed-cost.ts';
import { owner } from '../../../src/model/viewer.ts';
import type { Store } from '../../../src/store/calendar.ts';
import { imported, memory } from '../../support/calendars.ts';
import { cases } from '../../support/cases.ts';
import { folder, run, words } from '../../support/transcript.ts';

const place = folder();
afterAll(place.remove);
const inFolder = (args: readonly string[]) => run(args, { cwd: place.path });

const sources = (store: Store) => [...store.local(owner, { home: 'http://x', root: 'http://x/v1' }).sources('events')];

describe('prices on the command line', () => {
  const create = (db: string, ...cost: string[]) =>
    inFolder([
      ...words(
        `events create --db ${db}.db --title A --start-date 2027-06-07 --duration 1d --fields cost,cost_details ${cost.join().includes('/ AK') || (cost[0]!.length > 6 && cost.length === 1) ? '' : '--json'}`,
      ),
      ...cost,
    ]);

  it.each([
    [['--cost', '£5-£7'], '£5 – £7', '£'],
    [['--cost', '€9', '--cost', '€14'], '€9 – €14', '€'],
    [['--cost', '12,50 € / 15 €'], '12.50€ – 15€', '€'],
    [['--cost', '12,50 €'], '12,50€', '€'],
    [['--data', '{"cost":"12,50 €"}'], '12,50€', '€'],
    [['--cost', 'Free – €10'], 'Free – €10', '€'],
    [['--set', 'cost=€12/€15'], '€12 – €15', '€'],
    [['--set', 'cost=€12', '--set', 'cost=€15'], '€12 – €15', '€'],
    [['--set', 'cost:=["€1","€2"]'], '€1 – €2', '€'],
    [['--cost', '["€1","€2"]'], '€1 – €2', '€'],
    [['--data', '{"cost":"€8 – €12"}'], '$8 – $12', ''],
  ])('%j is shown as %s', async (cost, shown, symbol) => {
    const { stdout, exit, stderr } = await create('prices', ...cost);
    expect([exit, stderr.replace(/^calendar: .*\n/gm, '')]).toEqual([0, '']);
    expect(JSON.parse(stdout)).toMatchObject({ cost: shown, cost_details: { currency_symbol: symbol } });
  });

  it.each([
    [
      'VVK 12 € / AK 15 €',
      "calendar: Invalid --cost \"VVK 12 € / AK 15 €\": names several prices with words, which the API does not keep\n  Use: --cost '12 €' --cost '15 €'\n",
    ],
    [
      '€10 / $12',
      'calendar: Invalid --cost "€10 / $12": would be shown as "$10 – $12"\n  To store this text, use: --set \'cost:=["€10 / $12"]\'\n',
    ],
    ['-5', 'calendar: Invalid --cost "-5": is negative, which the API does not keep\n  To store this text, use: --set \'cost:=["-5"]\'\n'],
  ])('%s is refused', async (cost, stderr) => {
    expect(await create('refused', `--cost=${cost}`)).toEqual({ exit: 2, stdout: '', stderr });
  });
});

describe('prices in files', () => {
  it('of other calendar programs are lists', async () => {
    const event = (uid: number, cost: string) =>
      `BEGIN:VEVENT\nUID:${uid}\nSUMMARY:E${uid}\nDTSTART:20270${uid}01T100000Z\nX-COST:${cost}\nEND:VEVENT\n`;
    const store = await memory();
    const text = `BEGIN:VCALENDAR\nVERSION:2.0\nPRODID:other\n${event(1, '€8-€12')}${event(2, 'VVK 12 € / AK 15 €')}${event(3, '€10 / $12')}END:VCALENDAR\n`;
    const summary = await imported(store, 'ics', text);
    expect(sources(store).map(({ cost }) => cost)).toEqual([['€8', '€12'], ['12 €', '15 €'], ['€10 / $12']]);
    expect(summary.notes.map(({ reason }) => reason)).toEqual([
      'cost "€8-€12" is stored as "€8" and "€12", shown as "€8 – €12"',
      'cost "VVK 12 € / AK 15 €" names several prices with words, which the API does not keep; stored as "12 €" and "15 €", shown as "12€ – 15€"',
      'cost "€10 / $12" is stored as "€10 / $12", shown as "$10 – $12"',
    ]);
  });

  it('that lose their currency are named when a fixture is loaded or validated', async () => {
    const { writeFileSync } = await import('node:fs');
    const { join } = await import('node:path');
    const event = { title: 'A', start_date: '2027-06-07', end_date: '2027-06-07', cost: '€8 – €12' };
    writeFileSync(join(place.path, 'range.json'), JSON.stringify({ events: { a: event } }));
    const note = 'events.a: cost "€8 – €12" is shown as "$8 – $12"; for several values, write ["€8","€12"]';
    for (const command of ['validate range.json', 'seed range.json --db range.db'])
      expect(await inFolder(words(command))).toMatchObject({ exit: 0, stderr: expect.stringContaining(note) });
  });
});

/** Every cost that a recorded request sends. */
function recordedCosts(): unknown[] {
  const costs: unknown[] = [];
  for (const name of ['exchanges', 'random'])
    for (const line of readFileSync(new URL(`../../reference/${name}.ndjson`, import.meta.url), 'utf8')
      .split('\n')
      .filter(Boolean))
      JSON.stringify(JSON.parse(line), (key, value) => {
        if (key === 'cost') costs.push(...[value].flat());
        return value;
      });
  return costs;
}

/** Numbers from 0 to `limit` that are the same in every run. */
function pseudoRandom(seed: number): (limit: number) => number {
  let state = seed;
  return (limit) => {
    state = (state * 48_271) % 2_147_483_647;
    return state % limit;
  };
}

describe('every cost', () => {
  const draw = pseudoRandom(20_270_301);
  const one = (list: readonly string[]) => list[draw(list.length)]!;
  const generated = () => {
    const amounts = ['0', '5', '12,50', '7.5', '1.049,50', '1,234.50', '20.–', '1 000', 'Free'];
    const price = () => one(['€', '$', '£', 'CHF ', 'from €', '']) + one(amounts) + one(['', ' €', ' kr', '$', ' adults']);
    return Array.from({ length: 1 + draw(3) }, price).join(one([' – ', '-', ' / ', ', ', ' to ']));
  };
  const texts = [
    ...new Set([...recordedCosts().filter((cost) => typeof cost === 'string'), ...Array.from({ length: cases(300) }, generated)]),
  ] as string[];

  it('that is kept is read as itself, and keeps its currency', () => {
    for (const text of texts) {
      const { list, reason } = typedCost(text);
      expect(reason !== undefined || list.length > 0 || text.trim() === '', text).toBe(true);
      for (const each of list) expect(typedCost(each), `${text} → ${each}`).toEqual({ list: [each] });
      const [sign] = /\p{Sc}/u.exec(text) ?? [];
      if (reason === undefined && sign && /[1-9]/.test(text)) expect(formatCost(list), text).toContain(sign);
    }
    expect(texts.length).toBeGreaterThan(200);
  });

  it('that a table exports is read back unchanged', async () => {
    const lists = texts.map((text) =>
      text.trim() === '' ? [] : [text, text.length % 3 ? undefined : '€5'].filter((each) => each !== undefined),
    );
    const store = await memory();
    const events = lists.map((cost, at) => ({ title: `E${at}`, start_date: '2027-06-07', end_date: '2027-06-07', cost }));
    await imported(store, 'json', JSON.stringify({ events }));
    const before = sources(store).map(({ cost }) => cost);
    const csv = [...exportCalendar(store, { format: 'csv' })].join('');
    const again = await memory();
    await imported(again, 'csv', csv);
    expect(sources(again).map(({ cost }) => cost)).toEqual(before);
    // A table with other columns is not recognized as an export.
    const renamed = await memory();
    await imported(
      renamed,
      'csv',
      csv.replace(/^[^\n]*/, (head) => head.replace('cost', 'Event Cost').replace('title', 'Event Name')),
    );
    expect(sources(renamed).map(({ cost }) => cost)).toEqual(before);
  });
});
