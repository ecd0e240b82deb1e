import type { Browser, Page } from 'playwright-core';
import { type ServedPage, servedPage, settled, watched } from '../support/browser.ts';
import type { State } from './states.ts';

/** Other texts of records: long ones, and from right to left. */
export const texts = {
  long: 'Extraordinarily long names of things that happen, with words like Donaudampfschifffahrtsgesellschaftskapitän and many more',
  'right to left': 'أمسية موسيقية في الهواء الطلق مع فرقة المدينة',
} as const;
export type Texts = keyof typeof texts;

export const windowHeight = 860;

const labels = { events: 'title', venues: 'venue', organizers: 'organizer', categories: 'name', tags: 'name' };

/** Appends a text to the titles and names of all records. */
const lengthen = (calendar: ServedPage, text: string) =>
  calendar.store.change(() => {
    for (const [resource, label] of Object.entries(labels))
      calendar.store.db.run(`update ${resource} set ${label} = ${label} || ' ' || ?`, text);
  });

const calendars = new Map<string, Promise<ServedPage>>();

async function serve(kind: State['calendar'], name: Texts | undefined): Promise<ServedPage> {
  const calendar = await servedPage(kind === 'empty' ? undefined : 'demo', { now: Date.parse('2027-03-01T11:00:00Z') });
  if (kind === 'users') await calendar.store.users.add({ name: 'ada', role: 'administrator', password: 'right' });
  if (name) await lengthen(calendar, texts[name]);
  calendar.world.start = calendar.store.image();
  return calendar;
}

/** Opens a state, in a calendar that is as it was at first. `lines` are those on the console that don't belong to it. */
export async function openState(
  browser: Browser,
  state: State,
  options: Parameters<Browser['newPage']>[0] = {},
  name?: Texts,
): Promise<{ page: Page; lines: string[] }> {
  const key = `${state.calendar ?? 'demo'} ${name}`;
  const isNew = !calendars.has(key);
  if (isNew) calendars.set(key, serve(state.calendar, name));
  const calendar = await calendars.get(key)!;
  if (!isNew) {
    await calendar.control.reset({});
    await calendar.control.clearRequests({});
    // A reset keeps them.
    for (const { name } of (await calendar.control.snapshots({})).snapshots) await calendar.control.deleteSnapshot({ name });
  }
  const viewport = { width: state.width ?? 1440, height: windowHeight };
  const { page, lines } = await watched(browser, calendar.url + state.address, {
    viewport,
    javaScriptEnabled: !state.isStatic,
    ...options,
  });
  await state.steps?.(page, calendar);
  await settled(page);
  return { page, lines: lines.filter((line) => !state.console?.test(line)) };
}

/** Closes the calendars of all states. */
export async function closeStates(): Promise<void> {
  for (const calendar of calendars.values()) await (await calendar).close();
  calendars.clear();
}
