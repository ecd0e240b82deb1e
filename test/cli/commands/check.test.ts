import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Calendar, createCalendar } from '../../../bin/library.ts';
import { command } from '../../support/command.ts';

let calendar: Calendar;
beforeAll(async () => {
  calendar = await createCalendar({ seed: 'minimal', now: '2027-03-01T09:00:00Z' });
});
afterAll(() => calendar.close());

it('checks those that are named, also by several options, and counts the others as not run', async () => {
  const { exit, stdout, stderr } = await command(
    'check',
    calendar.url,
    '--only',
    'tags.list, events.get',
    '--only',
    'events.create',
    '--format',
    'json',
  );
  expect(exit, stderr).toBe(0);
  const {
    ok,
    wrong,
    skipped,
    checks: results,
  } = JSON.parse(stdout) as Record<string, unknown> & { checks: { name: string; outcome: string }[] };
  const names = results.map(({ name }) => name.split('.').slice(0, 2).join('.'));
  expect([...new Set(names)].sort()).toEqual(['events.create', 'events.get', 'tags.list']);
  const count = (outcome: string) => results.filter((each) => each.outcome === outcome).length;
  expect([ok, wrong, skipped]).toEqual([count('ok'), 0, count('skipped')]);
  expect(count('skipped')).toBeGreaterThan(0);
  expect(count('ok')).toBeGreaterThan(0);
});

it('an unknown name is refused with the nearest one', async () => {
  const { exit, stdout, stderr } = await command('check', calendar.url, '--only', 'events.lst');
  expect([exit, stdout]).toEqual([2, '']);
  expect(stderr).toContain('Did you mean events.get');
});
