import { afterEach, expect, it } from 'vitest';
import { App } from '../../../src/cli/ui/app.tsx';
import { Loader } from '../../../src/cli/ui/loader.ts';
import { calendarWith, city, lookWith, now } from '../../support/displayed-days.ts';
import { TestScreen } from '../../support/test-screen.tsx';

let screen: TestScreen;
afterEach(() => screen?.close());

/** Keys, and what is on the screen after them. */
it.each<[view: string, ...steps: [keys: string, text: string][]]>([
  ['a month', ['', 'Holiday']],
  ['a day', ['\r', 'Wed, 3 March 2027']],
  ['an event', ['\r', 'Wed, 3 March 2027'], ['\x1b[B\x1b[B\r', '09:30–10:30, Europe/Paris']],
  ['a list', ['l', 'm month'], ['\x1b[B', '›             all day']],
  ['the keys', ['?', 'quit']],
  ['a filter', ['f', 'Filter']],
  ['a new event with its dates', ['nParty', 'Party'], ['\t', '› start date'], ['next monday 19:00', '19:00, calendar time zone']],
  ['an event with an error', ['nParty', 'Party'], ['\t', '› start date'], ['soon', '✗']],
])('%s looks as before', async (_view, ...steps) => {
  const calendar = await calendarWith(city);
  screen = new TestScreen(<App calendar={calendar} loader={new Loader(calendar)} display={lookWith()} clock={() => now} />, 80, 24);
  await screen.sees('Holiday');
  for (const [keys, text] of steps) {
    screen.press(keys);
    await screen.sees(text);
  }
  expect(await screen.sees(/^(?![\s\S]*Loading…)/)).toMatchSnapshot();
});
