import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Calendar, connectCalendar, createCalendar } from '../../bin/library.ts';

const now = '2027-03-01T09:00:00.000Z';
let calendar: Calendar;
let connection: Calendar;
beforeAll(async () => {
  calendar = await createCalendar({ now });
  connection = await connectCalendar(calendar.url);
});
afterAll(async () => {
  await connection.close();
  await calendar.close();
});
const timeForm = (examples: string) => `must be a time with a unit, like ${examples}, or a number of milliseconds`;

describe.each(['in this process', 'over HTTP'])('a time %s', (place) => {
  const at = () => (place === 'over HTTP' ? connection : calendar);
  const send = (path: string) => fetch(calendar.url + path);

  it.each([
    [30, 'within 30 ms'],
    ['30ms', 'within 30ms'],
    ['0.03s', 'within 0.03s'],
    ['PT0.03S', 'within PT0.03S'],
  ])('limits how long requests are waited for: %j', async (timeout, text) => {
    await expect(at().requests.waitFor({ path: '/venues' }, { timeout })).rejects.toThrow(text);
  });

  it.each(['3', 'soon', '1mo', 0, -1, '30d'])('of a wait is not %j', async (timeout) => {
    await expect(at().requests.waitFor({}, { timeout })).rejects.toThrow(`timeout: ${timeForm('500ms, 10s or 2m')}, up to 24d`);
  });

  it.each([[1], ['1ms'], [[1, 2]], [['1ms', '0.002s']], [{ lognormal: { median: '1ms', sigma: 0.1 } }]])(
    'delays responses: %j',
    async (delay) => {
      const fault = await at().faults.add({ delay, slow_body: delay, times: 1 } as never);
      expect(fault).toMatchObject({ delay, slow_body: delay });
      expect((await send('/tags')).status).toBe(200);
      expect((await at().faults.get(fault.id)).hits).toBe(1);
      await at().faults.clear();
    },
  );

  it.each([
    ['200', `delay: ${timeForm('200ms or 1.5s')}, up to 10m`],
    ['11m', `delay: ${timeForm('200ms or 1.5s')}, up to 10m`],
    [['2s', 100], 'delay: must be in ascending order'],
    [[100, '200'], `delay[1]: ${timeForm('200ms or 1.5s')}`],
  ])('of a delay is not %j', async (delay, message) => {
    await expect(at().faults.add({ delay } as never)).rejects.toThrow(message);
  });

  it('is a range of the server at its start', async () => {
    await using delayed = await createCalendar({ faults: [{ delay: ['1ms', 2] }, { then: 503 }] });
    expect((await delayed.faults.list()).map(({ then, delay }) => [then, delay])).toEqual([
      [undefined, ['1ms', 2]],
      [{ status: 503 }, undefined],
    ]);
    expect((await fetch(`${delayed.url}/tags`)).status).toBe(503);
  });

  it('is how long a world lives without requests', async () => {
    for (const ttl of [60_000, '60s']) await (await at().worlds.create({ ttl })).close();
    await expect(at().worlds.create({ ttl: '60' })).rejects.toThrow(timeForm('90s, 30m or 1d'));
  });

  it.each([
    [60_000, '2027-03-01T09:01:00.000Z'],
    ['200ms', '2027-03-01T09:00:00.200Z'],
    ['1h30m', '2027-03-01T10:30:00.000Z'],
    ['1w', '2027-03-08T09:00:00.000Z'],
    ['P1M', '2027-04-01T09:00:00.000Z'],
    [{ by: -1000 }, '2027-03-01T08:59:59.000Z'],
  ])('advances the clock: %j', async (by, later) => {
    await at().clock.set(now);
    expect((await at().clock.advance(by)).now).toBe(later);
    await expect(at().clock.advance('60')).rejects.toThrow(`Invalid by "60": ${timeForm('90m, 1d or P1DT2H')}`);
  });

  it('has short forms where it means only one thing', async () => {
    const held = await at().faults.hold({ path: '/tags' });
    await expect(held.arrived({ timeout: 30 })).rejects.toThrow(/held by fault \d+ within 30 ms, and 0 arrived$/);
    await expect(held.arrived({ timout: 30 } as never)).rejects.toThrow('timout: unknown field. Did you mean timeout?');
    const sent = send('/tags');
    await held.arrived({ timeout: '10s' });
    await held.release(503);
    expect((await sent).status).toBe(503);
    await at().faults.add({ match: { path: '/tags' }, then: 418, times: 1 });
    expect((await send('/tags')).status).toBe(418);
    await at().faults.clear();
    await expect(at().faults.add({ then: 99 })).rejects.toThrow('Invalid then: must be');
  });
});

it.each([
  [{ faults: [{ delay: '5' }] }, `delay: ${timeForm('200ms or 1.5s')}`],
  [{ faults: [{ then: 5 }] }, 'then: must be at least 200'],
  [{ faults: [{ delya: 5 }] }, 'delya: unknown field. Did you mean delay?'],
  [{ worldTtl: '30' }, `Invalid worldTtl "30": ${timeForm('90s, 30m or 1d')}`],
])('createCalendar refuses %j', async (options, message) => {
  await expect(createCalendar(options as never)).rejects.toThrow(message);
});
