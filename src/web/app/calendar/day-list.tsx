import type { ComponentProps } from 'preact';
import type { CalendarDay } from '../days.ts';
import { Floating } from '../floating.tsx';
import { dayText } from '../format.ts';
import { Agenda } from './views/agenda.tsx';

interface Properties extends Pick<ComponentProps<typeof Floating>, 'anchor' | 'onClose'>, Omit<ComponentProps<typeof Agenda>, 'from'> {
  day: CalendarDay;
}

/** The events of a day, over the calendar. */
export const DayList = ({ day, anchor, onClose, ...events }: Properties) => (
  <Floating label={dayText(day)} anchor={anchor} onClose={onClose}>
    <Agenda {...events} from={day} />
  </Floating>
);
