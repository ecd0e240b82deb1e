import { expect, test } from 'vitest';
import { useCalendar as calendarHere } from '../../../dist/vitest.mjs';

const calendar = calendarHere({ seed: 'minimal' });

test('alone', async () => expect((await calendar.health()).records.tags).toBeGreaterThan(0));
test.concurrent.each(['first', 'second'])('together: %s', async () => calendar.health());
