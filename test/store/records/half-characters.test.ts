import { expect, it } from 'vitest';
import { owner } from '../../../src/model/viewer.ts';
import { openCalendar } from '../../../src/store/calendar.ts';

const site = { home: 'http://x', root: 'http://x/v1' };
const when = { start_date: '2027-03-01', end_date: '2027-03-01' };

it.each([
  ['events', { title: 'Half \ud83d show', description: 'a\udc00', ...when }, 'title'],
  ['venues', { venue: 'Half \ud83d show', description: 'a\udc00' }, 'venue'],
  ['organizers', { organizer: 'Half \ud83d show', description: 'a\udc00' }, 'organizer'],
  ['tags', { name: 'Half \ud83d show', description: 'a\udc00' }, 'name'],
] as const)('%s: half a character becomes U+FFFD, and is found by either', async (name, input, label) => {
  const store = await openCalendar(':memory:', { mode: 'write', now: () => Date.parse('2026-11-20T16:05:00Z') });
  try {
    const local = store.local(owner, site);
    const made = store.db.change(() => local[name].create(input));
    expect(made[label]).toBe('Half \ufffd show');
    expect(local[name].get({ id: made.id })).toMatchObject({
      [label]: 'Half \ufffd show',
      description: expect.stringContaining('a\ufffd'),
    });
    for (const search of ['\ud83d', '\ufffd', 'half \ud83d']) {
      const query = { search: label === 'title' ? `"${search}"` : search, hide_empty: 'false' };
      const word = /\p{L}/u.test(search) || label === 'title' || label === 'name';
      if (word) expect([search, local[name].list(query).total]).toEqual([search, 1]);
    }
  } finally {
    await store.close();
  }
});
