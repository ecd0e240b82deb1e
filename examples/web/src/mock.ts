import { createCalendar } from 'local-calendar/web';
import { http } from 'msw';
import { setupWorker } from 'msw/browser';

/** The calendar that answers the requests of this page. */
export const calendar = await createCalendar({ seed: 'shapes', now: '2027-03-01T09:00Z', basePath: '/wp-json' });

/** Answers requests for the site, at any host, from now on. */
export async function startMock(): Promise<void> {
  const worker = setupWorker(http.all('*/wp-json/*', ({ request }) => calendar.handler(request)));
  await worker.start({
    quiet: true,
    // In MSW 3: onUnhandledFrame.
    onUnhandledRequest: 'bypass',
    serviceWorker: { url: `${import.meta.env.BASE_URL}mockServiceWorker.js` },
  });
}

// After an edit of this file, the worker of MSW would go on with the calendar before it.
import.meta.hot?.accept(() => location.reload());
