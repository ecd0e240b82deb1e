import stringWidth from 'string-width';
import { afterEach, describe, expect, it } from 'vitest';
import { App } from '../../../src/cli/ui/app.tsx';
import { Loader } from '../../../src/cli/ui/loader.ts';
import type { Calendar, Collection } from '../../../src/model/calendar.ts';
import { Failure } from '../../../src/model/error.ts';
import { calendarWith, city, lookWith, now } from '../../support/displayed-days.ts';
import { TestScreen } from '../../support/test-screen.tsx';

let screen: TestScreen;
afterEach(() => screen?.close());

/** A calendar that can be cut off, as by a cable. */
function onCable(calendar: Calendar): { calendar: Calendar; cable: { cut: boolean } } {
  const cable = { cut: false };
  const through =
    (name: keyof Collection) =>
    (...args: unknown[]) =>
      cable.cut
        ? Promise.reject(new Failure('unreachable', 'no answer from the server'))
        : (calendar.events[name] as (...given: unknown[]) => unknown)(...args);
  const events = Object.fromEntries(
    (['list', 'get', 'create', 'update', 'delete'] as const).map((name) => [name, through(name)]),
  ) as unknown as Collection;
  return { calendar: { ...calendar, events }, cable };
}

async function app(columns = 80, rows = 24) {
  const held = onCable(await calendarWith(city));
  screen = new TestScreen(
    <App calendar={held.calendar} loader={new Loader(held.calendar)} display={lookWith()} clock={() => now} />,
    columns,
    rows,
  );
  await screen.sees('Holiday');
  return held;
}

describe('the screen', () => {
  it('draws a month, a day, an event', async () => {
    await app();
    screen.press('\r');
    await screen.sees('Wed, 3 March 2027');
    screen.press('\x1b[B\x1b[B\r');
    await screen.sees('Wed, 3 March 2027 09:30–10:30, Europe/Paris');
  });

  it.each([
    [80, 24],
    [132, 50],
    [61, 15],
    [40, 10],
  ])('stays within %i columns and %i rows in every view', async (columns, rows) => {
    await app();
    screen.resize(columns, rows);
    for (const keys of ['', 'T', '\x1b', 'f', '\x1b', 'd', '\r', '\x1b[D', 'l', '?', 'q', 'n', '\t\t\t\t\t\t\t\t']) {
      screen.press(keys);
      await new Promise((resolve) => setTimeout(resolve, 60));
      const lines = screen.text.split('\n');
      expect(lines.length).toBeLessThanOrEqual(rows);
      for (const line of lines) expect(stringWidth(line)).toBeLessThanOrEqual(columns);
    }
  });

  it('keeps the form when the connection is lost', async () => {
    const { cable } = await app();
    screen.press('nParty');
    await screen.sees('Party');
    cable.cut = true;
    screen.press('\x13');
    expect(await screen.sees('Ctrl-S to retry')).toMatch(/! no answer from the server[\s\S]*$/);
    expect(screen.text).toContain('Party');
    cable.cut = false;
    screen.press('\x13');
    await screen.sees('Created: Party');
    cable.cut = true;
    screen.press('r');
    expect(await screen.sees('r to retry')).toContain('Holiday');
    cable.cut = false;
    screen.press('r');
    await screen.sees('q quit');
  });

  it('shows what a calendar refuses at its field', async () => {
    await app();
    screen.press('nParty');
    await screen.sees('Party');
    screen.press('\t\t\t\t\t#999\x13');
    expect(await screen.sees('is not the ID of a venue')).toMatch(/› venue/);
  });

  it('asks before a mistyped venue is made, and makes none after a no', async () => {
    const { calendar } = await app();
    screen.press('nParty');
    await screen.sees('Party');
    screen.press('\t\t\t\t\tPier9\x13');
    expect(await screen.sees('Create venue')).toContain('Create venue “Pier9”? “Pier 9” exists.  y/N');
    screen.press('n');
    await screen.sees('Ctrl-S save');
    expect((await calendar.venues.list({})).total).toBe(1);
    screen.press('\x15pier 9\x13');
    await screen.sees('Created: Party');
    expect((await calendar.venues.list({})).total).toBe(1);
    screen.press('nAgain\t\t\t\t\tQuay\x13');
    await screen.sees('Create venue “Quay”?');
    screen.press('y');
    await screen.sees('Created: Again');
    expect((await calendar.venues.list({})).entries.map(({ venue }) => venue)).toContain('Quay');
  });

  it('shows a month of a day its own events before one of many days', async () => {
    const long = ['a', 'b', 'c'].map((title) => ({
      title: `Long ${title}`,
      start_date: '2027-03-01',
      end_date: '2027-03-31',
      all_day: true,
    }));
    const own = { title: 'Own', start_date: '2027-03-17 10:00', end_date: '2027-03-17 11:00' };
    const calendar = await calendarWith([...long, own]);
    screen = new TestScreen(<App calendar={calendar} loader={new Loader(calendar)} display={lookWith()} clock={() => now} />, 80, 24);
    expect(await screen.sees('Long')).toContain('Own');
    expect(screen.text).toContain('more');
  });

  it('quits on q and on Ctrl-C', async () => {
    await app();
    screen.press('q');
    await screen.ended();
    await app();
    screen.press('n\x03');
    await screen.ended();
  });

  it('does not draw control sequences of texts', async () => {
    const calendar = await calendarWith([
      { title: 'A\u001b[2Jb', description: '\u009b31m', start_date: '2027-03-03 10:00', end_date: '2027-03-03 11:00' },
    ]);
    screen = new TestScreen(<App calendar={calendar} loader={new Loader(calendar)} display={lookWith()} clock={() => now} />);
    await screen.sees('A␛[2Jb');
    screen.press('d\r');
    await screen.sees('When');
    screen.press('e');
    await screen.sees('Edit');
    expect(screen.history).not.toContain('\u001b[2J');
    expect(screen.history).not.toContain('\u009b');
  });
});
