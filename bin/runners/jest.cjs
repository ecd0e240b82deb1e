const { afterAll, beforeAll, beforeEach } = require('@jest/globals');
const { calendarBetween } = require('./index.cjs');

exports.useCalendar = (options) => calendarBetween({ beforeAll, beforeEach, afterAll }, options);
