import { expect, test } from '@jest/globals';
import { Failure } from 'local-calendar';
import { useCalendar } from 'local-calendar/jest';

const calendar = useCalendar({ seed: 'minimal' });

test('is imported by an ES module', async () => {
  await expect(calendar.tags.get(4711)).rejects.toBeInstanceOf(Failure);
  expect(await calendar.data.export({ format: 'ics' })).toContain('VCALENDAR');
});
