import { afterAll, beforeAll, expect, it } from 'vitest';
import { folder, run, words } from '../../support/transcript.ts';

const place = folder();
const at = (line: string) => run(words(line), { cwd: place.path });
afterAll(place.remove);
beforeAll(async () => {
  await at("venues create --venue 'Main_Hall <A>' --city Berlin --quiet");
  await at("events create --title 'Rock & *Roll*' --start-date '2026-11-21 20:00' --end-date 23:00 --venue 8");
  await at('events create --title Fair --start-date 2026-11-21 --end-date 2026-11-22 --all-day');
  await at('settings set home https://example.org');
});

it.each([
  [
    'markdown',
    `## Sat, November 21, 2026

- **all day** [Fair (1/2)](https://example.org/event/fair/)
- **8:00 PM–11:00 PM** [Rock \\& \\*Roll\\*](https://example.org/event/rock-roll/), Main\\_Hall, Berlin

## Sun, November 22, 2026

- **all day** [Fair (2/2)](https://example.org/event/fair/)
`,
  ],
  [
    'html',
    `<h2>Sat, November 21, 2026</h2>
<ul>
<li><strong>all day</strong> <a href="https://example.org/event/fair/">Fair (1/2)</a></li>
<li><strong>8:00 PM–11:00 PM</strong> <a href="https://example.org/event/rock-roll/">Rock &#38; *Roll*</a>, Main_Hall, Berlin</li>
</ul>
<h2>Sun, November 22, 2026</h2>
<ul>
<li><strong>all day</strong> <a href="https://example.org/event/fair/">Fair (2/2)</a></li>
</ul>
`,
  ],
])('agenda --format %s', async (format, expected) => {
  const { stdout, exit } = await at(`agenda 2026-11-20..2026-11-23 --format ${format}`);
  expect([stdout, exit]).toEqual([expected, 0]);
});

it.each(['--format json --fields title', '--json=title', '--fields title'])('agenda %s', async (options) => {
  const { stdout } = await at(`agenda 2026-11-20..2026-11-23 ${options}`);
  expect(JSON.parse(stdout)).toEqual([
    { date: '2026-11-21', events: [{ title: 'Fair' }, { title: 'Rock &#038; *Roll*' }] },
    { date: '2026-11-22', events: [{ title: 'Fair' }] },
  ]);
});

it.each([
  ['text', 'No events on Tue, December 1, 2026.\n'],
  ['markdown', 'No events on Tue, December 1, 2026.\n'],
  ['html', '<p>No events on Tue, December 1, 2026.</p>\n'],
  ['json', '[]\n'],
])('an empty agenda as %s', async (format, expected) => {
  expect((await at(`agenda 2026-12-01 --format ${format}`)).stdout).toBe(expected);
});
