import { useEffect, useRef, useState } from 'preact/hooks';
import { dayOf, daysBetween } from '../../../../model/time/days.ts';
import { dayMinutes, plusMinutes } from '../../days.ts';
import { lengthOf } from '../../measure.ts';
import { textOfHtml } from '../../parts/html.tsx';
import { toast } from '../../parts/toast.tsx';
import type { ListedEvent } from '../../record.ts';
import { titleWithDay, updateWithUndo } from '../../records/undo.ts';
import { canEditEvent, messageOf } from '../../server/api.ts';
import { authorization } from '../../server/session.ts';
import { daysOf, type EventSpan } from '../span.ts';
import { type EmptyPeriod, type EmptyPosition, isDragged, pointAt, selectTime } from './select-time.ts';

/** Drags in hour columns snap to multiples of this. */
const snapMinutes = 15;
/** Time after which a touch starts a drag instead of scrolling. */
const longPressMs = 400;

const messages = { move: 'Moved', start: 'Changed the start of', end: 'Changed the end of' };

/** Saves a shift, in wall time of the event's own zone, and offers to undo it. */
export async function saveShift(event: ListedEvent, shift: Pick<Shift, 'edge' | 'minutes'>): Promise<void> {
  const { id, start_date, end_date } = event;
  const title = textOfHtml(event.title);
  const [start, end] = shifted(start_date, end_date, event.all_day === true, shift);
  const changes = { ...(shift.edge !== 'end' && { start_date: start }), ...(shift.edge !== 'start' && { end_date: end }) };
  await updateWithUndo(
    'events',
    id,
    changes,
    { start_date, end_date },
    {
      text: (after) => `${messages[shift.edge]} ${titleWithDay(title, after)}.`,
      title,
    },
  );
}

const permissions = new Map<string, Promise<boolean>>();

/** True if the current user may edit an event. The result is cached. */
function checkPermission(id: number): Promise<boolean> {
  const key = `${authorization() ?? ''} ${id}`;
  const permission = permissions.get(key) ?? canEditEvent(id).catch(() => false);
  permissions.set(key, permission);
  return permission;
}

/** The distance to scroll per frame for a pointer between two edges. Increases towards the edge. */
const scrollSpeed = (at: number, from: number, to: number): number => {
  const [zone, step] = ['--scroll-zone', '--scroll-step'].map((name) => lengthOf(document.documentElement, name)) as [number, number];
  if (at < from + zone) return -step * Math.min(1, (from + zone - at) / zone);
  return at > to - zone ? step * Math.min(1, (at - to + zone) / zone) : 0;
};

/** Scrolls the days and the window while the pointer is near an edge, until aborted. Calls `onScroll` after each step. */
function scrollAtEdges(container: HTMLElement, pointer: () => { x: number; y: number }, onScroll: () => void, signal: AbortSignal): void {
  const page = document.documentElement;
  const step = () => {
    if (signal.aborted) return;
    const { x, y } = pointer();
    const { left, right, top, bottom } = container.getBoundingClientRect();
    const before = [container.scrollLeft, container.scrollTop, page.scrollTop].join();
    // The hour labels and day headings cover the edges of the container.
    const [side, head] = ['.timetable-hours > .timetable-gutter', '.timetable-whole-days'].map((part) =>
      container.querySelector(part)?.getBoundingClientRect(),
    );
    container.scrollBy(scrollSpeed(x, side?.right ?? left, right), scrollSpeed(y, head?.bottom ?? top, Math.min(bottom, innerHeight)));
    page.scrollBy(0, scrollSpeed(y, 0, innerHeight));
    if ([container.scrollLeft, container.scrollTop, page.scrollTop].join() !== before) onScroll();
    requestAnimationFrame(step);
  };
  requestAnimationFrame(step);
}

/** Receives clicks and selections of empty time. */
interface EmptyListener {
  onClick(at: EmptyPosition): void;
  onSelect(period: EmptyPeriod): void;
}

/** Calls `onLongPress` if a touch doesn't move. Suppresses the context menu of the target. */
function listenForLongPress(down: PointerEvent, target: HTMLElement, onLongPress: () => void): void {
  const controller = new AbortController();
  const { signal } = controller;
  const cancel = () => {
    clearTimeout(timer);
    controller.abort();
  };
  const timer = setTimeout(onLongPress, longPressMs);
  target.addEventListener('contextmenu', (event) => event.preventDefault(), { signal });
  addEventListener('pointerup', cancel, { signal });
  addEventListener('pointercancel', cancel, { signal });
  addEventListener('pointermove', (at) => isDragged(down, at) && cancel(), { signal });
}

/**
 * Lets the user move and resize events with a pointer, and click and select empty time. A touch scrolls unless it starts with a long press.
 * Escape cancels a drag. Without `onEmpty` everything is disabled.
 */
export function useDrag(spans: readonly EventSpan[], onEmpty: EmptyListener | undefined) {
  const [shift, setShift] = useState<Shift>();
  const latest = useRef(spans);
  useEffect(() => {
    // Reloaded spans contain the new position.
    if (latest.current !== spans) setShift(undefined);
    latest.current = spans;
  }, [spans]);

  const saveDrop = async (event: ListedEvent, drop: Shift) => {
    // The event may be dropped before the permission is known.
    if (!(await checkPermission(event.id))) return setShift(undefined);
    try {
      await saveShift(event, drop);
    } catch (error) {
      showError(error);
      setShift(undefined);
    }
  };

  const canDrag = onEmpty !== undefined;
  useEffect(() => {
    if (!canDrag) return;
    // Browsers let a listener cancel scrolling only if it existed when the touch started.
    document.addEventListener('touchmove', ignore, { passive: false });
    return () => document.removeEventListener('touchmove', ignore);
  }, [canDrag]);

  const onPointerDown = (down: PointerEvent) => {
    const target = down.target instanceof Element ? down.target.closest<HTMLElement>('[data-event]') : null;
    if (!onEmpty || down.button !== 0) return;
    if (down.pointerType === 'touch') {
      if (target) listenForLongPress(down, target, () => startDrag(down, target));
      return;
    }
    if (down.target instanceof HTMLElement && down.target.dataset.day) selectTime(down, onEmpty.onClick, onEmpty.onSelect);
    if (target) startDrag(down, target);
  };

  /** Moves an event with the pointer until it is released. */
  const startDrag = (down: PointerEvent, target: HTMLElement) => {
    const isTouch = down.pointerType === 'touch';
    const id = Number(target.dataset.event);
    const edge = ((down.target as HTMLElement).dataset.edge ?? 'move') as Shift['edge'];
    const container = target.closest<HTMLElement>('.timetable, .month')!;
    let pointer = { x: down.clientX, y: down.clientY };
    const origin = pointAt(down.clientX, down.clientY);
    const event = latest.current.find((span) => span.event.id === id)?.event;
    if (!origin || !event) return;
    let isAllowed: boolean | undefined;
    let current: Shift | undefined;
    void checkPermission(id).then((result) => {
      isAllowed = result;
      if (!isAllowed) setShift(undefined);
    });
    const markDragging = () => document.documentElement.classList.add('dragging');
    const move = (at: PointerEvent) => {
      pointer = { x: at.clientX, y: at.clientY };
      if (current || isDragged(down, at)) follow();
    };
    const follow = () => {
      const position = pointAt(pointer.x, pointer.y);
      if (isAllowed === false || !position) return;
      const minutes =
        Math.round(((position.minute ?? 0) - (position.minute === undefined ? 0 : (origin.minute ?? 0))) / snapMinutes) * snapMinutes;
      if (!current) scrollAtEdges(container, () => pointer, follow, signal);
      current = { id, edge, minutes: daysBetween(origin.day, position.day) * dayMinutes + minutes };
      markDragging();
      setShift(current);
    };
    const controller = new AbortController();
    const end = (commit: boolean) => {
      document.documentElement.classList.remove('dragging');
      delete target.dataset.grabbed;
      controller.abort();
      if (!current && !isTouch) return;
      addEventListener('click', swallow, { capture: true, once: true });
      setTimeout(() => removeEventListener('click', swallow, true));
      if (commit && current && current.minutes !== 0) void saveDrop(event, current);
      else setShift(undefined);
    };
    const { signal } = controller;
    addEventListener('pointermove', move, { signal });
    addEventListener('pointerup', () => end(true), { signal });
    addEventListener('pointercancel', () => end(false), { signal });
    addEventListener('keydown', (key) => key.key === 'Escape' && end(false), { capture: true, signal });
    if (!isTouch) return;
    target.dataset.grabbed = '';
    markDragging();
    // Touch events go to the initial target, even after it was rendered elsewhere.
    target.addEventListener('touchmove', swallow, { passive: false, signal });
  };

  return { shift, onPointerDown };
}

const ignore = () => {};
const swallow = (event: Event) => {
  event.preventDefault();
  event.stopPropagation();
};
/** Reports that an event couldn't be moved or resized. */
export const showError = (error: unknown) => toast(`Couldn’t change the event: ${messageOf(error)}`);

/** A change of an event, or of its start or end. */
export interface Shift {
  id: number;
  edge: 'move' | 'start' | 'end';
  /** Minutes of wall time; a day has 1440. */
  minutes: number;
}

/** The start and end of an event after a shift. An edge stops at the other one. */
function shifted(from: string, to: string, allDay: boolean, { edge, minutes }: Pick<Shift, 'edge' | 'minutes'>): [string, string] {
  const [start, end] = [edge === 'end' ? from : plusMinutes(from, minutes), edge === 'start' ? to : plusMinutes(to, minutes)];
  if (edge === 'start') {
    const latest = allDay ? `${dayOf(to)} 00:00:00` : to;
    return [start > latest ? latest : start, end];
  }
  const earliest = allDay ? `${dayOf(start)} 23:59:59` : start;
  return [start, end < earliest ? earliest : end];
}

export const applyShift = (span: EventSpan, shift: Shift): EventSpan => ({
  ...span,
  ...daysOf(...shifted(span.from, span.to, span.allDay, shift)),
});
