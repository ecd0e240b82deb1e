import { type CalendarDay, dayMinutes } from '../../days.ts';
import { lengthOf } from '../../measure.ts';

/** Returns the day at a position, and the minute if the position is in an hour column. */
export function pointAt(x: number, y: number): { day: CalendarDay; minute?: number } | undefined {
  const element = document.elementsFromPoint(x, y).find((each) => each instanceof HTMLElement && each.dataset.day);
  if (!(element instanceof HTMLElement)) return undefined;
  const day = element.dataset.day!;
  if (element.dataset.hours === undefined) return { day };
  const { top, height } = element.getBoundingClientRect();
  return { day, minute: Math.min(dayMinutes, Math.max(0, ((y - top) / height) * dayMinutes)) };
}

/** An empty position in the calendar. */
export type EmptyPosition = NonNullable<ReturnType<typeof pointAt>>;

/** Returns whether a pointer has moved too far for a click. */
export const isDragged = (down: PointerEvent, { clientX, clientY }: PointerEvent): boolean =>
  Math.hypot(clientX - down.clientX, clientY - down.clientY) >= lengthOf(document.documentElement, '--drag-distance');
