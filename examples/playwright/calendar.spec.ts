import { expect, test } from 'local-calendar/playwright';

// A calendar for each test, on the port of its worker's server.
test.use({ calendarOptions: { seed: 'shapes', now: '2027-03-01T09:00Z', strict: true } });

test.describe('asks over HTTP', () => {
  for (const which of ['first', 'second'])
    test(`the ${which} test finds what the seed made`, async ({ calendar, request }) => {
      const list = await request.get(`${calendar.url}/tags?hide_empty=false`);
      expect((await list.json()).total).toBe(2);
      await calendar.tags.create({ name: 'left behind' });
    });
});

test('shows a new event in a browser', async ({ calendar, page }) => {
  await calendar.events.create({ title: 'Seen in a browser', start_date: '2027-03-02 20:00', end_date: '2027-03-02 23:00' });
  await page.goto(`${calendar.root}/event/seen-in-a-browser/`);
  await expect(page.getByRole('heading', { name: 'Seen in a browser' })).toBeVisible();
});

test('the pages of a test get its calendar, whatever address they use', async ({ calendar, workerCalendar, page }) => {
  await calendar.events.create({ title: 'In this world', start_date: '2027-03-02 20:00', end_date: '2027-03-02 23:00' });
  await page.goto(`${workerCalendar.root}/event/in-this-world/`);
  await expect(page.getByRole('heading', { name: 'In this world' })).toBeVisible();
});
