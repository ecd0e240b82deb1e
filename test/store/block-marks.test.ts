import { describe, expect, it } from 'vitest';
import { formFor } from '../../src/cli/ui/form/form.ts';
import { remoteInput } from '../../src/model/formats/remote-record.ts';
import { anonymous, owner } from '../../src/model/viewer.ts';
import { exported, imported, memory } from '../support/calendars.ts';

const site = { home: 'http://x', root: 'http://x/v1' };
const dates = { start_date: '2027-03-01 10:00', end_date: '2027-03-01 11:00' };
const stored = '<!-- wp:paragraph {"align":"left"} --><p>Block &amp; text</p><!-- /wp:paragraph -->\n\n<!-- a comment -->';

describe('block comments', () => {
  it.each([
    ['events', 'description', { title: 'T', ...dates }],
    ['events', 'excerpt', { title: 'T', ...dates }],
    ['venues', 'description', { venue: 'V' }],
    ['organizers', 'description', { organizer: 'O' }],
  ] as const)('of %s.%s are stored and not shown', async (name, field, more) => {
    const store = await memory();
    const calendar = store.calendarFor(owner, site);
    const created = await calendar[name].create({ ...more, [field]: stored });
    const text = () => String(store.local(owner, site).source(name, created.id)![field]);
    expect(created[field]).toContain('<p>Block &amp; text</p>');
    expect(created[field]).not.toContain('wp:');
    expect(created[field]).toContain('<!-- a comment -->');
    expect(text()).toBe(stored);
    const shown = created[field];
    for (const body of [{ id: created.id, [field]: shown }, { [field]: shown }, { ...created }])
      await calendar[name].update({ id: created.id }, body);
    expect(text()).toBe(stored);
    expect((await calendar[name].list({ search: 'paragraph' })).total).toBe(0);
    expect((await calendar[name].list({ search: 'Block' })).total).toBe(1);
    for (const format of ['json', 'ndjson', 'csv'] as const) {
      const copy = await memory();
      await imported(copy, format, exported(store, format, format === 'csv' ? [name] : undefined), format === 'csv' ? [name] : undefined);
      expect([...copy.local(owner, site).sources(name)][0]![field]).toBe(stored);
    }
    if (name === 'events') expect((await imported(store, 'ics', exported(store, 'ics'))).counts).toMatchObject({ unchanged: 1 });
    expect(text()).toBe(stored);
    const edited = await calendar[name].get({ id: created.id }, { context: 'edit' });
    expect([edited.raw, (await calendar[name].get({ id: created.id })).raw]).toEqual([{ [field]: stored }, undefined]);
    expect((await store.calendarFor(anonymous, site)[name].get({ id: created.id }, { context: 'edit' })).raw).toBeUndefined();
    expect(remoteInput(store.local(owner, site).resources[name], edited)[field]).toBe(stored);
    if (name === 'events') expect(formFor(edited).initial[field]).toBe(field === 'description' ? stored : undefined);
    await calendar[name].update({ id: created.id }, { ...edited });
    expect(text()).toBe(stored);
    await calendar[name].update({ id: created.id }, { [field]: 'Other' });
    expect(text()).toBe('Other');
  });
});
