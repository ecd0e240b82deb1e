/** @jest-environment jsdom */
const { expect, test } = require('@jest/globals');
const library = require('local-calendar');
const { useCalendar } = require('local-calendar/jest');
const { documentTests } = require('./dom.cjs');

documentTests({ useCalendar, library, test, expect, fake: () => jest.useFakeTimers(), real: () => jest.useRealTimers() });
