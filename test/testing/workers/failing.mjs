import { expect } from 'vitest';
import { calendarTest } from '../../../dist/vitest.mjs';

const test = calendarTest({ seed: 'minimal' });

test('finds a tag', async ({ calendar }) => {
  await fetch(`${calendar.url}/tags?search=none`);
  expect(1).toBe(2);
});
