import { beforeAll, beforeEach, expect, test } from 'vitest';
import { showAgenda } from './agenda.ts';
import { calendar, startMock } from './mock.ts';

beforeAll(startMock);
beforeEach(() => calendar.reset());

async function shown(): Promise<string> {
  const list = document.createElement('ul');
  await showAgenda(list);
  return list.textContent ?? '';
}

test('shows what is created', async () => {
  await calendar.events.create({ title: 'Opening night', start_date: 'today 10:30', end_date: 'today 11:00' });
  expect(await shown()).toContain('Opening night, 2027-03-01 10:30');
  await calendar.requests.verify({ method: 'GET', path: '/events' }, { exactly: 1 });
});

test('says that nothing is planned', async () => {
  await calendar.reset({ to: 'empty' });
  expect(await shown()).toBe('Nothing is planned.');
});

test('survives an outage', async () => {
  await calendar.faults.add({ then: { status: 503 } });
  expect(await shown()).toBe('The events are not available at the moment.');
});
