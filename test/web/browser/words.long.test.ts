import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Calendar, createCalendar } from '../../../bin/library.ts';
import { launched, noBrowser } from '../../support/browser.ts';

describe.skipIf(noBrowser)(`a page whose site has its own words in addresses${noBrowser ? ` (${noBrowser})` : ''}`, () => {
  let calendar: Calendar;
  beforeAll(async () => {
    calendar = await createCalendar({ now: '2027-03-01T09:00Z', settings: { event_slug: 'termin' } });
    const day = { start_date: '2027-03-01 19:00', end_date: '2027-03-01 20:00' };
    await calendar.data.seed({ events: [{ ...day, title: 'Choir', ...{ repeat: 'FREQ=WEEKLY;COUNT=3' } }] });
  });
  afterAll(() => calendar.close());

  it.each(['/termin/choir/', '/termin/choir/2027-03-08/'])('shows the event at %s', async (path) => {
    const page = await (await launched()).newPage();
    await page.goto(new URL(calendar.url).origin + path);
    await page.getByRole('heading', { name: 'Choir' }).first().waitFor();
    expect(await page.getByText('Nothing is at this address').count()).toBe(0);
    await page.close();
  });
});
