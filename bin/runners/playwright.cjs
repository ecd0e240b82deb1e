const { expect, test } = require('@playwright/test');
const { connectCalendar, createCalendar } = require('./index.cjs');

/** Options of the calendar of each test; those of the server are options of the worker. */
const ofWorld = ['from', 'seed', 'now', 'timezone', 'settings', 'users', 'faults', 'ttl'];

function checkOptions(options) {
  const wrong = Object.keys(options).find((name) => !ofWorld.includes(name));
  if (wrong === undefined) return;
  throw new Error(
    `calendarOptions.${wrong} is not an option of a test's calendar. Options of the server belong to calendarServer: test.use({ calendarServer: { ${wrong}: … } })`,
  );
}

exports.expect = expect;
exports.test = test.extend({
  calendarServer: [{}, { scope: 'worker', option: true }],
  workerCalendar: [
    async ({ calendarServer }, use) => {
      const { url, ...options } = calendarServer;
      const server = url === undefined ? await createCalendar(options) : await connectCalendar(url, options);
      await use(server);
      await server.close();
    },
    { scope: 'worker' },
  ],
  calendarOptions: [{}, { option: true }],
  calendar: async ({ workerCalendar, calendarOptions }, use, testInfo) => {
    checkOptions(calendarOptions);
    const world = await workerCalendar.worlds.create({ name: testInfo.title, ...calendarOptions, required: true });
    await use(world);
    if (testInfo.status !== testInfo.expectedStatus) {
      const archive = await world.requests.har().catch(() => undefined);
      if (archive) await testInfo.attach('calendar.har', { body: JSON.stringify(archive, null, 2), contentType: 'application/json' });
    }
    await world.close();
  },
  // The pages of a test get its calendar: by a header where they call the server, by a cookie for sites that forward it.
  context: async ({ context, calendar, baseURL }, use) => {
    const { origin, pathname } = new URL(calendar.root);
    const id = pathname.split('/').at(-1);
    const sites = [origin, ...(baseURL === undefined ? [] : [baseURL])];
    await context.addCookies(sites.map((url) => ({ name: 'calendar_world', value: id, url })));
    await context.route(
      (url) => url.origin === origin && !url.pathname.startsWith('/_worlds/'),
      (route, request) => route.fallback({ headers: { ...request.headers(), 'x-calendar-world': id } }),
    );
    await use(context);
  },
});
