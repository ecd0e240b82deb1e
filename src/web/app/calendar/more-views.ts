/** The views of the calendar that are loaded when they are first shown. */
export { Hours } from './hours.tsx';
export { EventPopover } from './popover.tsx';
export { Venues } from './venues.tsx';
export { Year } from './year.tsx';
