const { internal } = require('./index.cjs');

/** The functions that stop the servers of this process, for runners that call another one at the end. */
const stops = [];

const calendarServer = (options) => async (setup) => {
  const stop = await internal.shareServer(options, setup);
  stops.push(stop);
  return stop;
};

// The default export is what vitest, jest and Playwright call; node:test calls the other two.
module.exports = calendarServer();
module.exports.calendarServer = calendarServer;
module.exports.globalSetup = async () => void (await module.exports());
module.exports.globalTeardown = async () => {
  for (const stop of stops.splice(0)) await stop();
};
