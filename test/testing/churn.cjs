/** Opens and closes calendars of the bundle, and says as JSON what that leaves behind: node --expose-gc churn.cjs BUNDLE */
/** What is open, but for the streams of the process itself. */
const left = () => ({
  listeners: process.eventNames().length,
  resources: process.getActiveResourcesInfo().filter((kind) => !/^(Pipe|TTY)Wrap$/.test(kind)).length,
});
const { prepareStackTrace } = Error;
const quiet = left();
const http = require('node:http');
const { createCalendar } = require(process.argv[2]);

const imported = { ...left(), sameTrace: Error.prepareStackTrace === prepareStackTrace };

// Node's fetch keeps something of every address for ever.
const listed = (url) =>
  new Promise((done, fail) => http.get(`${url}/events`, { agent: false }, (answer) => answer.resume().on('end', done)).on('error', fail));

const rounds = async (count) => {
  for (let round = 0; round < count; round += 1) {
    const calendar = await createCalendar({ seed: 'minimal', now: '2027-03-01T09:00Z' });
    await calendar.events.create({ title: 'Concert', start_date: '2027-03-02 20:00', end_date: '2027-03-02 23:00' });
    await listed(calendar.url);
    await calendar.reset();
    await calendar.close();
  }
  // What was closed is let go in turns of the loop to come.
  await new Promise((done) => setTimeout(done, 200));
  global.gc();
  global.gc();
  const { heapUsed, rss, external, arrayBuffers } = process.memoryUsage();
  return { ...left(), heap: heapUsed + external + arrayBuffers, rss };
};

(async () => {
  const before = await rounds(30);
  const after = await rounds(100);
  console.log(JSON.stringify({ quiet, imported, before, after }));
})();
