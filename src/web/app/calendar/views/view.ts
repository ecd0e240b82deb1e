import { today } from '../../context.ts';
import type { CalendarDay } from '../../days.ts';
import type { HueOf } from '../hues.ts';
import { addressOf, type CalendarState } from '../state.ts';

/** The common properties of the views of the calendar. */
export interface ViewProperties {
  state: CalendarState;
  hueOf: HueOf;
  /** True once the categories are loaded. Earlier, events would change their color. */
  isColored: boolean;
  canCreate: boolean;
  onCanCreate(canCreate: boolean): void;
  /** ID of the event that is shown over the calendar. */
  event: number | undefined;
}

/** Returns a function that returns the address of a day in a view, with the current filters. */
export const linkTo =
  (state: CalendarState, view: CalendarState['view']) =>
  (day: CalendarDay): string =>
    addressOf({ ...state, view, day }, today());
