import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Day } from '../../../model/time/days.ts';
import { returnAddress } from '../address.ts';
import { today } from '../context.ts';
import { type ListedEvent, permalinkPath } from '../record.ts';
import type { HueOf } from './hues.ts';
import { parseState, type ViewState, viewAddress, withFilter } from './state.ts';

/** The address of the last calendar view in this tab with other values for one of its filters. Without a view, it is that of `fallback`. */
export function filteredAddress(name: string, values: readonly string[], fallback?: string): string {
  const state = parseState(new URL(returnAddress(fallback), location.href).searchParams, today());
  // A record that was found by its name replaces the search for it.
  return viewAddress({ ...state, filters: withFilter({ ...state.filters, search: '' }, name, values) }, today());
}

/** The address that a click on an event opens: its page, or a popover over the calendar. */
export const EventAddress = createContext<(event: Pick<ListedEvent, 'id' | 'url'>) => string>(permalinkPath);

export const useEventAddress = () => useContext(EventAddress);

/** The common properties of the views of the calendar. */
export interface ViewProperties {
  state: ViewState;
  hueOf: HueOf;
  /** True once the categories are loaded. Earlier, events would change their color. */
  isColored: boolean;
  canCreate: boolean;
  onCanCreate(canCreate: boolean): void;
  /** ID of the event that is shown over the calendar. */
  event: number | undefined;
}

export const linkTo =
  (state: ViewState, view: ViewState['view']) =>
  (day: Day): string =>
    viewAddress({ ...state, view, day }, today());
