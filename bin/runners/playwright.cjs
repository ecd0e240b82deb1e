const { writeFile } = require('node:fs/promises');
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

/** Attaches the requests to a calendar to the report of a failed test, as a file: reporters of the terminal print the path. */
async function attachRequests(testInfo, calendar) {
  const path = testInfo.outputPath('calendar.har');
  await writeFile(path, JSON.stringify(await calendar.requests.har(), null, 2));
  testInfo.attachments.push({ name: 'calendar.har', path, contentType: 'application/json' });
}

exports.expect = expect;
exports.test = test.extend({
  calendarServer: [{}, { scope: 'worker', option: true }],
  workerCalendar: [
    async ({ calendarServer }, use) => {
      const { url, keep: _, ...options } = calendarServer;
      const server = url === undefined ? await createCalendar(options) : await connectCalendar(url, options);
      await use(server);
      await server.close();
    },
    { scope: 'worker' },
  ],
  calendarOptions: [{}, { option: true }],
  calendar: async ({ workerCalendar, calendarServer, calendarOptions }, use, testInfo) => {
    checkOptions(calendarOptions);
    const { url, keep } = calendarServer;
    if (keep !== undefined && url === undefined)
      throw new Error('calendarServer.keep requires calendarServer.url: the server of a worker ends with it');
    const world = await workerCalendar.worlds.create({ name: testInfo.title, ...calendarOptions, required: true });
    await use(world);
    const hasFailed = testInfo.status !== testInfo.expectedStatus;
    if (hasFailed) await attachRequests(testInfo, world).catch(() => {});
    if (!hasFailed || keep !== 'on-failure') return world.close();
    console.warn(`The calendar of "${testInfo.title}" is kept: ${world.root}/`);
    testInfo.annotations.push({ type: 'calendar', description: `${world.root}/` });
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
