import type { Day } from '../../../../model/time/days.ts';
import { dayMinutes, toPercent } from '../../days.ts';
import { lengthOf } from '../../measure.ts';

/** An empty period: from a minute to a minute of one day, or whole days. */
export interface EmptyPeriod {
  from: EmptyPosition;
  to: EmptyPosition;
}

const snapMinutes = 15;

/** The minutes that a selection covers: at least one step. */
function minutesBetween(one: number, other: number): [number, number] {
  const [from, to] = [Math.min(one, other), Math.max(one, other)];
  const start = Math.floor(from / snapMinutes) * snapMinutes;
  return [start, Math.max(start + snapMinutes, Math.ceil(to / snapMinutes) * snapMinutes)];
}

/** Shows the selected hours in a column. Returns a function that removes the preview. */
function showHours(column: Element, [from, to]: readonly [number, number]): () => void {
  const preview = document.createElement('div');
  preview.className = 'timetable-selection';
  preview.style.top = toPercent(from);
  preview.style.height = toPercent(to - from);
  column.append(preview);
  return () => preview.remove();
}

/** Shows the selected days of a month. Returns a function that removes the preview. */
function showDays(month: Element, first: Day, last: Day): () => void {
  const cells = [...month.querySelectorAll<HTMLElement>('.month-cell, .timetable-cell')].filter(
    ({ dataset }) => first <= dataset.day! && dataset.day! <= last,
  );
  for (const cell of cells) cell.classList.add('selecting');
  return () => {
    for (const cell of cells) cell.classList.remove('selecting');
  };
}

/**
 * Lets the user select empty time with the pointer that was pressed. Calls `onClick` if it is released where it was pressed, and `onSelect`
 * otherwise. Escape cancels.
 */
export function selectTime(down: PointerEvent, onClick: (at: EmptyPosition) => void, onSelect: (period: EmptyPeriod) => void): void {
  const target = down.target as HTMLElement;
  const origin = pointAt(down.clientX, down.clientY);
  if (!origin) return;
  const controller = new AbortController();
  const { signal } = controller;
  let period: EmptyPeriod | undefined;
  let hide = () => {};
  const end = () => {
    hide();
    controller.abort();
  };
  const move = (pointer: PointerEvent) => {
    if (!period && !isDragged(down, pointer)) return;
    const at = pointAt(pointer.clientX, pointer.clientY);
    if (!at) return;
    hide();
    if (origin.minute === undefined) {
      const [first, last] = [origin.day, at.day].sort() as [Day, Day];
      period = { from: { day: first }, to: { day: last } };
      hide = showDays(target.closest('.month') ?? document.body, first, last);
    } else {
      const [from, to] = minutesBetween(origin.minute, at.minute ?? origin.minute);
      period = { from: { day: origin.day, minute: from }, to: { day: origin.day, minute: to } };
      hide = showHours(target.closest('.timetable-column')!, [from, to]);
    }
  };
  addEventListener('pointermove', move, { signal });
  addEventListener(
    'pointerup',
    () => {
      end();
      if (period) onSelect(period);
      else onClick(origin);
    },
    { signal },
  );
  addEventListener('pointercancel', end, { signal });
  addEventListener('keydown', ({ key }) => key === 'Escape' && end(), { capture: true, signal });
}

/** The day at a position, and the minute if the position is in an hour column. */
export function pointAt(x: number, y: number): { day: Day; minute?: number } | undefined {
  const element = document.elementsFromPoint(x, y).find((each) => each instanceof HTMLElement && each.dataset.day);
  if (!(element instanceof HTMLElement)) return undefined;
  const day = element.dataset.day!;
  if (element.dataset.hours === undefined) return { day };
  const { top, height } = element.getBoundingClientRect();
  return { day, minute: Math.min(dayMinutes, Math.max(0, ((y - top) / height) * dayMinutes)) };
}

/** An empty position in the calendar. */
export type EmptyPosition = NonNullable<ReturnType<typeof pointAt>>;

/** True if a pointer has moved too far for a click. */
export const isDragged = (down: PointerEvent, { clientX, clientY }: PointerEvent): boolean =>
  Math.hypot(clientX - down.clientX, clientY - down.clientY) >= lengthOf(document.documentElement, '--drag-distance');
