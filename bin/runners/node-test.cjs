const { after, before, beforeEach } = require('node:test');
const { calendarBetween } = require('./index.cjs');

exports.useCalendar = (options) => calendarBetween({ beforeAll: before, beforeEach, afterAll: after }, options);
