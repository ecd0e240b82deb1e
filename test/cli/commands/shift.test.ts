import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Served, served } from '../../support/served.ts';
import { startOf } from '../../support/start-of.ts';
import { folder, run, withoutUndo, words } from '../../support/transcript.ts';

const place = folder();
let [controlled, plain]: Served[] = [];
beforeAll(async () => {
  [controlled, plain] = [await served(), await served({}, false)];
});
afterAll(async () => {
  await controlled!.close();
  await plain!.close();
  place.remove();
});

const dated = (title: string, date: string, more = {}) => ({ title, start_date: `${date} 10:00`, end_date: `${date} 12:00`, ...more });
const inputs = [
  dated('Jazz past', '2019-03-01'),
  dated('Jazz', '2027-03-27', { timezone: 'Europe/Berlin' }),
  dated('Fair', '2027-03-01', { all_day: true }),
  dated('Jazz draft', '2027-05-01', { status: 'draft' }),
  dated('Jazz trash', '2027-06-01', { status: 'trash' }),
];

describe.each(['on a file', 'through a server', 'on a server without the control API'])('shift %s', (how) => {
  const target = () => (how === 'on a file' ? '--db shift.db' : `--url ${(how === 'through a server' ? controlled : plain)!.url}`);
  const at = (line: string, stdin?: string) => run([...words(line), ...words(target())], { cwd: place.path, stdin });
  const dates = async () => {
    const listed = await at("events list --all --template '{{title}} {{start_date}} {{end_date}}'");
    return listed.stdout
      .split('\n')
      .filter(Boolean)
      .map((line) => line.replaceAll(':00 ', ' ').replace(/:00$/, ''));
  };
  const calendar = () => (how === 'on a file' ? join(place.path, 'shift.db') : how === 'through a server' ? controlled! : plain!);
  beforeEach(startOf(calendar, () => at('events create --data - --quiet', JSON.stringify(inputs))));
  const rest = ['Jazz past 2019-03-01 10:00 2019-03-01 12:00', 'Fair 2027-03-01 00:00 2027-03-01 23:59:59'];

  it.each([
    [
      'events shift --by 1h --search jazz --from 2027-01-01',
      2,
      ['Jazz 2027-03-27 11:00 2027-03-27 13:00', 'Jazz draft 2027-05-01 11:00 2027-05-01 13:00'],
    ],
    // Days keep the time of day, hours are elapsed time: clocks change on March 28.
    [
      'shift --by 1d --search jazz --from 2027-01-01',
      2,
      ['Jazz 2027-03-28 10:00 2027-03-28 12:00', 'Jazz draft 2027-05-02 10:00 2027-05-02 12:00'],
    ],
    [
      'shift --by 24h --search jazz --from 2027-01-01',
      2,
      ['Jazz 2027-03-28 11:00 2027-03-28 13:00', 'Jazz draft 2027-05-02 10:00 2027-05-02 12:00'],
    ],
    ['shift --by 0:90 --status draft', 1, ['Jazz 2027-03-27 10:00 2027-03-27 12:00', 'Jazz draft 2027-05-01 11:30 2027-05-01 13:30']],
    ['events shift --by 1h --status draft', 1, ['Jazz 2027-03-27 10:00 2027-03-27 12:00', 'Jazz draft 2027-05-01 11:00 2027-05-01 13:00']],
    [
      'events shift --by 1h --search nothing',
      0,
      ['Jazz 2027-03-27 10:00 2027-03-27 12:00', 'Jazz draft 2027-05-01 10:00 2027-05-01 12:00'],
    ],
  ])('%s', async (line, count, moved) => {
    const before = await dates();
    const text = `calendar: Shifted: ${count ? `${count} updated` : 'no changes'}`;
    const dry = withoutUndo(await at(`${line} --dry-run`));
    const table = new RegExp(`^(ACTION .*\\n(updated  events +Jazz.* 2027, .*\\n){${count}})?$`);
    expect(dry).toEqual({ stdout: expect.stringMatching(table), stderr: `${text} (dry run, nothing was written)\n`, exit: 0 });
    expect(await dates()).toEqual(before);
    expect(withoutUndo(await at(line))).toEqual({ stdout: '', stderr: `${text}\n`, exit: 0 });
    expect(await dates()).toEqual([rest[0], rest[1], ...moved]);
  });

  it('moves every event by default, all-day ones by whole days', async () => {
    expect((await at('shift --by 25h')).exit).toBe(0);
    const shown = await dates();
    expect(shown).toContain('Jazz past 2019-03-02 11:00 2019-03-02 13:00');
    expect(shown).toContain('Fair 2027-03-02 00:00 2027-03-02 23:59:59');
    expect((await at('shift --by 1h --search fair')).stderr).toBe('calendar: Shifted: 1 unchanged\n');
  });

  it.each([
    ['shift --by 1h --venue nowhere', 'No venue has the slug or name "nowhere"'],
    ['shift --by soon', 'Expected a duration'],
    ['shift --by 1h --from nonsense', 'Invalid from'],
  ])('%s is rejected', async (line, message) => {
    expect(await at(line)).toEqual({ stdout: '', stderr: expect.stringContaining(message), exit: 2 });
  });
});

it('reports a partial failure, and continues', async () => {
  const at = (line: string, stdin?: string) => run([...words(line), '--url', plain!.url], { cwd: place.path, stdin });
  await at('events delete - --yes', (await at('events list --all --format ids')).stdout);
  await at('events create --data - --quiet', JSON.stringify(inputs));
  plain!.faults.add({ match: { method: ['POST'], path: '/events/*' }, times: 1, then: { status: 403 } });
  const { stdout, stderr, exit } = await at('events shift --by 1h');
  expect([stdout, exit]).toEqual(['', 8]);
  expect(stderr).toMatch(/^calendar: \d+: .*\n(.*\n)*calendar: Shifted: 2 updated, 1 unchanged\ncalendar: This calendar has no undo\.\n$/);
});
