import ICAL from 'ical.js';
import { beforeAll, expect, it } from 'vitest';
import { contract } from '../support/contract-server.ts';

contract('the feed', {}, (server) => {
  const summaries = async (query = '', as?: string) => {
    const { status, headers, body } = await server.send({ at: '/calendar.ics', query, as });
    expect(status).toBe(200);
    expect(headers['content-type']).toBe('text/calendar; charset=utf-8');
    const events = new ICAL.Component(ICAL.parse(body)).getAllSubcomponents('vevent');
    return events.map((event) => event.getFirstPropertyValue('summary'));
  };

  beforeAll(async () => {
    for (let day = 1; day <= 60; day++)
      await server.make('events', {
        title: `Day ${day}`,
        start_date: `2027-03-01 10:00 +${day} days`,
        end_date: `2027-03-01 11:00 +${day} days`,
        featured: day > 58,
      });
    await server.make('events', { title: 'Draft', start_date: '2027-03-01', end_date: '2027-03-01', status: 'draft' });
  });

  it('has every page of the list', async () => expect(await summaries()).toEqual(Array.from({ length: 60 }, (_, i) => `Day ${i + 1}`)));
  it.each([
    ['featured=true', ['Day 59', 'Day 60']],
    ['starts_before=2027-03-03', ['Day 1', 'Day 2']],
    ['search=nothing', []],
  ])('takes the filters of the list: %s', async (query, titles) => expect(await summaries(query)).toEqual(titles));
  it('shows what the caller may see', async () => expect(await summaries('end_date=2027-03-02', 'editor')).toEqual(['Draft', 'Day 1']));
  it.each(['author', 'contributor'])('holds for %s what they may read: no draft of another', async (role) => {
    const own = { title: `Own of ${role}`, start_date: '2027-03-01', end_date: '2027-03-01', status: 'draft' };
    await server.make('events', own, role);
    expect(await server.names('events', 'end_date=2027-03-02', role)).toContain('Draft');
    expect(await summaries('end_date=2027-03-02', role)).toEqual([own.title, 'Day 1']);
  });
  it('refuses what the list refuses', async () =>
    expect((await server.ask(400, { at: '/calendar.ics', query: 'starts_after=foo' })).code).toBe('rest_invalid_param'));
  it('is not sent again unchanged', async () => {
    const { headers } = await server.send({ at: '/calendar.ics' });
    const again = await server.send({ at: '/calendar.ics', headers: { 'if-none-match': headers.etag! } });
    expect([again.status, again.body]).toEqual([304, '']);
  });
});
