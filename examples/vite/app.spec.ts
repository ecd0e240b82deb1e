import { expect, test } from 'local-calendar/playwright';

test.use({ calendarOptions: { seed: 'shapes', now: '2027-03-01T09:00Z', strict: true } });

test('the built app shows the events of the calendar of its test', async ({ calendar, page }) => {
  await calendar.events.create({ title: 'Opening night', start_date: 'today 10:30', end_date: 'today 11:00' });
  await page.goto('/');
  await expect(page.getByText('Opening night, 2027-03-01 10:30')).toBeVisible();
  await calendar.requests.verify({ method: 'GET', path: '/events' }, { exactly: 1 });
});
