const { writeFile } = require('node:fs/promises');
const { expect, test } = require('@playwright/test');
const { connectCalendar, createCalendar, internal, recordChanges } = require('./index.cjs');

/** The mistakes of clients in the tests of a worker, by its server. */
const hintsOf = new WeakMap();

/** Options of the calendar of each test; those of the server are options of the worker. */
const ofWorld = [...internal.sharedOptionNames, 'ttl'];

function checkOptions(options) {
  const wrong = Object.keys(options).find((name) => !ofWorld.includes(name));
  if (wrong === undefined) return;
  throw new Error(
    `calendarOptions.${wrong} is not an option of a test's calendar. Options of the server belong to calendarServer: test.use({ calendarServer: { ${wrong}: … } })`,
  );
}

/** Attaches a value to the report of a failed test, as a file: reporters of the terminal print the path. */
async function attach(testInfo, name, value) {
  const path = testInfo.outputPath(name);
  await writeFile(path, JSON.stringify(value, null, 2));
  testInfo.attachments.push({ name, path, contentType: 'application/json' });
}

/** Attaches the requests to a calendar, and its changed records. */
async function attachEvidence(testInfo, calendar, changes) {
  const report = await internal.failureReport(calendar, testInfo.title, true);
  if (report) console.warn(report);
  await attach(testInfo, 'calendar.har', await calendar.requests.har());
  await attach(testInfo, 'calendar-changes.json', await changes());
}

exports.expect = expect;
exports.test = test.extend({
  calendarServer: [{}, { scope: 'worker', option: true }],
  workerCalendar: [
    async ({ calendarServer }, use) => {
      const { url, keep: _, ...options } = calendarServer;
      // A server with options is another one.
      const shared = url ?? (Object.keys(options).length ? undefined : await internal.sharedServerFor({}));
      const server = shared === undefined ? await createCalendar(options) : await connectCalendar(shared, options);
      const hints = new internal.HintReport();
      hintsOf.set(server, hints);
      await use(server);
      const text = hints.text();
      if (text) process.stderr.write(`${text}\n`);
      await server.close();
    },
    { scope: 'worker' },
  ],
  calendarOptions: [{}, { option: true }],
  calendar: async ({ workerCalendar, calendarServer, calendarOptions }, use, testInfo) => {
    checkOptions(calendarOptions);
    const { url, keep } = calendarServer;
    if (keep !== undefined && keep !== 'on-failure')
      throw new Error(`Invalid calendarServer.keep ${JSON.stringify(keep)}: must be on-failure`);
    if (keep !== undefined && url === undefined)
      throw new Error('calendarServer.keep requires calendarServer.url: the server of a worker ends with it');
    const { seed, ...state } = calendarOptions;
    const world = await workerCalendar.worlds.create({ name: testInfo.title, from: seed, ...state, required: true });
    internal.limitWaits(world, testInfo.timeout);
    const changes = await recordChanges(world);
    await use(world);
    if (!internal.isReportedLater(world.url)) await hintsOf.get(workerCalendar).endCalendar(internal.watchOf(world).control);
    const hasFailed = testInfo.status !== testInfo.expectedStatus;
    if (hasFailed) await attachEvidence(testInfo, world, changes).catch(() => {});
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
