const { internal } = require('./index.cjs');

/** The functions that stop the servers of this process, for runners that call another one at the end. */
const stops = [];

const calendarServer = (options) => async (setup) => {
  const end = await internal.shareServer(options, setup);
  const stop = () =>
    end().catch((error) => {
      // Vitest ends with 0 after a failure of what stops a server.
      process.exitCode ||= 1;
      throw error;
    });
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
