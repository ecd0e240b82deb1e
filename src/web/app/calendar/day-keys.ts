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

/** Moves from day to day by the arrow keys, within links that have `data-key`; past the edge it goes on in the next month. */
export function useDayKeys(container: RefObject<HTMLElement | null>, day: CalendarDay, goTo: (day: CalendarDay) => void) {
  const wanted = useRef(false);
  useLayoutEffect(() => {
    const { current } = container;
    if (wanted.current) current?.querySelector<HTMLElement>(`[data-key="${day}"]`)?.focus();
    wanted.current = false;
  }, [day, container]);
  return (event: KeyboardEvent) => {
    const at = event.target instanceof HTMLElement ? event.target.dataset.key : undefined;
    const step = steps[event.key];
    if (!at || !step || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    wanted.current = true;
    goTo(step(at));
  };
}
