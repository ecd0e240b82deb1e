const { test } = require('@playwright/test');
const { createCalendar } = require('./index.cjs');

exports.test = test.extend({
  calendarOptions: [{}, { scope: 'worker', option: true }],
  workerCalendar: [
    async ({ calendarOptions }, use) => {
      const calendar = await createCalendar(calendarOptions);
      await use(calendar);
      await calendar.close();
    },
    { scope: 'worker' },
  ],
  calendar: async ({ workerCalendar }, use) => {
    await workerCalendar.reset();
    await use(workerCalendar);
  },
});
