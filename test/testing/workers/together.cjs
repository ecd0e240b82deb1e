const { describe, test } = require('node:test');
const { useCalendar: calendarHere } = require('../../../dist/node-test.cjs');

const calendar = calendarHere({ seed: 'minimal' });

test('by itself', async (context) => {
  await calendar.health();
  await context.test('inside', () => calendar.health());
});
describe('together', { concurrency: true }, () => {
  for (const which of ['first', 'second']) test(which, () => calendar.health());
});
