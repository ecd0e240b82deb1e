import { afterAll, beforeAll, expect, it } from 'vitest';
import { createCalendar } from '../../bin/library.ts';
import type { ControlledCalendar } from '../../src/testing/calendar.ts';
import { folder, moment, run } from '../support/transcript.ts';

const place = folder();
let strict: ControlledCalendar;
let lenient: ControlledCalendar;
beforeAll(async () => {
  // The time of the commands.
  const options = { seed: 'shapes', now: moment };
  [strict, lenient] = await Promise.all([createCalendar({ ...options, strict: true }), createCalendar(options)]);
});
afterAll(() => Promise.all([strict.close(), lenient.close(), place.remove()]));

const at = (...args: string[]) => run(args, { cwd: place.path });

it('shape is that of a lenient server', async () => {
  const shapeOf = async ({ url }: ControlledCalendar) => (await at('shape', url)).stdout.replaceAll(new URL(url).host, 'HOST');
  expect(await shapeOf(strict)).toBe(await shapeOf(lenient));
}, 60_000);

it.each<[string, string[]]>([
  ['check --write', ['check', 'URL', '--write']],
  ['pull', ['pull', 'URL', '--db', 'copy.db']],
  ['an update of the copy', ['events', 'update', 'two-organizers', '--start-date', '+1 hour', '--db', 'copy.db']],
  ['push', ['push', 'URL', '--db', 'copy.db', '--yes']],
  ['an update at the server', ['events', 'update', 'html-description-2', '--set', 'cost=5', '--url', 'URL']],
])(
  '%s works with a strict server, and makes no mistake',
  async (_name, args) => {
    await strict.requests.clear();
    const { exit, stderr } = await at(...args.map((arg) => arg.replace('URL', strict.url)));
    expect([exit, exit === 0 ? '' : stderr]).toEqual([0, '']);
    expect(await strict.requests.hints({ all: true })).toEqual([]);
  },
  60_000,
);
