import { expect, test } from 'local-calendar/playwright';

// A calendar for each test, on the server that the built app calls.
test.use({ calendarServer: { url: 'http://127.0.0.1:47187' }, calendarOptions: { seed: 'demo', now: '2027-03-01T09:00Z' } });

test('the built app shows the events of the calendar of its test', async ({ calendar, page }) => {
  await calendar.events.create({ title: 'Opening night', start_date: 'today 10:30', end_date: 'today 11:00' });
  await page.goto('/');
  await expect(page.getByText('Opening night, 2027-03-01 10:30')).toBeVisible();
  expect((await calendar.requests.list({ path: '/events' })).requests).toHaveLength(1);
});
