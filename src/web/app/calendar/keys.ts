import { navigate } from '../address.ts';
import { today } from '../context.ts';
import { openDialog } from '../keys/dialogs.tsx';
import { hasNoFocus, resultsShortcut, type Shortcut, useShortcuts } from '../keys/shortcuts.ts';
import { addressOf, type CalendarState, stepDay, viewNames, views } from './state.ts';

/** The event that Tab reaches. */
export const firstEvent = '.view [data-event][tabindex="0"]';

/** The shortcuts of the calendar. */
export function useCalendarShortcuts(state: CalendarState, canCreate: boolean, openFilters: () => void): void {
  const go = (change: Partial<CalendarState>) => () => navigate(addressOf({ ...state, ...change }, today()));
  const step = (by: number) => () => navigate(addressOf({ ...state, day: stepDay(state, by) }, today()));
  const shortcuts: Shortcut[] = [
    { key: 't', label: 'Go to today', run: () => navigate(addressOf({ ...state, day: today() }, today())) },
    ...views.map((view) => ({ key: viewNames[view].key, label: `Show ${viewNames[view].text.toLowerCase()}`, run: go({ view }) })),
    { key: 'j', label: 'Next period', run: step(1) },
    { key: 'k', label: 'Previous period', run: step(-1) },
    { key: 'ArrowRight', label: 'Next period', run: step(1), isActive: hasNoFocus },
    { key: 'ArrowLeft', label: 'Previous period', run: step(-1), isActive: hasNoFocus },
    resultsShortcut('Go to the events', firstEvent),
    ...(canCreate ? [{ key: 'n', label: 'New event', run: () => openDialog('quick add') }] : []),
    { key: '/', label: 'Search events', run: () => document.querySelector<HTMLElement>('.search input')?.focus() },
    { key: 'f', label: 'Filter events', run: openFilters },
  ];
  useShortcuts(shortcuts);
}
