/** The views of the calendar that are loaded when they are first shown. */
export { ActiveFilters } from '../active-filters.tsx';
export { EventPopover } from '../popover.tsx';
export { RecordChoices } from '../record-choices.tsx';
export { Hours } from './hours.tsx';
export { NoEvents } from './no-events.tsx';
export { Venues } from './venues.tsx';
export { Year } from './year.tsx';
