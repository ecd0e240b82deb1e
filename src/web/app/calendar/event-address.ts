import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { type ListedEvent, pathOf } from '../record.ts';

/** Returns the address that a click on an event opens: its page, or a popover over the calendar. */
export const EventAddress = createContext<(event: Pick<ListedEvent, 'id' | 'url'>) => string>(pathOf);

export const useEventAddress = () => useContext(EventAddress);
