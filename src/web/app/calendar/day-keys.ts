import type { RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { type CalendarDay, plusDays, plusMonths, weekOf } from '../days.ts';
import { weekStart } from '../format.ts';

const steps: Record<string, (day: CalendarDay) => CalendarDay> = {
  ArrowLeft: (day) => plusDays(day, -1),
  ArrowRight: (day) => plusDays(day, 1),
  ArrowUp: (day) => plusDays(day, -7),
  ArrowDown: (day) => plusDays(day, 7),
  Home: (day) => weekOf(day, weekStart),
  End: (day) => plusDays(weekOf(day, weekStart), 6),
  PageUp: (day) => plusMonths(day, -1),
  PageDown: (day) => plusMonths(day, 1),
};

/** Lets the arrow keys move between the links with `data-key`, and past the edge to the next month. */
export function useDayKeys(container: RefObject<HTMLElement | null>, day: CalendarDay, goTo: (day: CalendarDay) => void) {
  const shouldFocus = useRef(false);
  useLayoutEffect(() => {
    const { current } = container;
    if (shouldFocus.current) current?.querySelector<HTMLElement>(`[data-key="${day}"]`)?.focus();
    shouldFocus.current = false;
  }, [day, container]);
  return (event: KeyboardEvent) => {
    const focused = event.target instanceof HTMLElement ? event.target.dataset.key : undefined;
    const step = steps[event.key];
    if (!focused || !step || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    shouldFocus.current = true;
    goTo(step(focused));
  };
}
