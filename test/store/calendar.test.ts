import { expect, it } from 'vitest';
import { openCalendar } from '../../src/store/calendar.ts';
import { inFolder } from '../support/items.ts';

it('lets go of a file that cannot be opened as the options want it', () =>
  inFolder(async (folder) => {
    const file = `${folder}/calendar.db`;
    const open = (timezone: string) => openCalendar(file, { mode: 'write', now: () => 0, timeout: 0, settings: { timezone } });
    await expect(open('Nowhere/Land')).rejects.toThrow('Nowhere/Land');
    await (await open('Asia/Tokyo')).close();
  }));
