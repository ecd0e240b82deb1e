import { expect, test } from 'local-calendar/playwright';

test.use({ calendarOptions: { seed: 'shapes', now: '2027-03-01T09:00Z', strict: true } });

test('the built app renders the events of the calendar of its test', async ({ calendar, page, request }) => {
  await calendar.events.create({ title: 'Opening night', start_date: 'today 10:30', end_date: 'today 11:00' });
  await page.goto('/');
  await expect(page.getByText('Opening night, 2027-03-01 10:30')).toBeVisible();
  await calendar.requests.verify({ method: 'GET', path: '/events' }, { exactly: 1 });

  // The route handler has a calendar in the process of the app.
  const { events } = await (await request.get('/calendar/events/v1/events?search=choir&per_page=1')).json();
  expect(new URL(events[0].rest_url).origin).toBe(new URL(page.url()).origin);
});
