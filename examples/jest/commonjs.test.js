const { Failure } = require('local-calendar');
const { useCalendar } = require('local-calendar/jest');

// One calendar for this file, separate from other files; reset before each test.
const calendar = useCalendar({ seed: 'minimal', now: '2027-03-01T09:00Z', strict: true });

test.each(['first', 'second'])('the %s test finds the calendar as it was at its start', async () => {
  expect((await calendar.events.list({ start_date: '2000-01-01' })).total).toBe(1);
  await calendar.events.create({ title: 'Left behind', start_date: '2027-03-02 20:00', end_date: '2027-03-02 23:00' });
});

test('records are plain objects, and failures are errors', async () => {
  expect((await calendar.tags.create({ name: 'new' })).urls).toStrictEqual({
    self: expect.stringContaining('/tags/'),
    collection: `${calendar.url}/tags`,
  });
  const failure = await calendar.events.get(4711).catch((error) => error);
  expect(failure).toBeInstanceOf(Failure);
  expect(failure).toBeInstanceOf(Error);
  await expect(calendar.events.get(4711)).rejects.toThrow('4711');
});
