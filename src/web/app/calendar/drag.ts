import { useEffect, useRef, useState } from 'preact/hooks';
import { type CalendarDay, dayOf, daysBetween, plusMinutes } from '../days.ts';
import type { CalendarEvent } from '../record.ts';
import { mayChange, update } from '../server/api.ts';
import { authorization } from '../server/session.ts';
import { toast } from '../toast.tsx';
import type { EventSpan } from './span.ts';

/** How an event is moved: all of it, or its end alone. */
export interface Shift {
  id: number;
  edge: 'move' | 'end';
  /** By the clock; a day has 1440. */
  minutes: number;
}

const dayMinutes = 1440;
/** Minutes to which what is dragged in a day keeps. */
const step = 15;
/** Pixels that a pointer may move while it clicks. */
const slack = 5;
/** Milliseconds after which a finger that rests on an event holds it. */
const hold = 400;
/** Pixels from an edge at which what is dragged there makes the days scroll, and how far they go in a frame at most. */
const edgeWidth = 48;
const fastest = 14;

/** A day, and where it has hours the minute, under a pointer. */
export function pointAt(x: number, y: number): { day: CalendarDay; minute?: number } | undefined {
  const found = document.elementsFromPoint(x, y).find((element) => element instanceof HTMLElement && element.dataset.day);
  if (!(found instanceof HTMLElement)) return undefined;
  const day = found.dataset.day!;
  if (found.dataset.hours === undefined) return { day };
  const { top, height } = found.getBoundingClientRect();
  return { day, minute: Math.min(dayMinutes, Math.max(0, ((y - top) / height) * dayMinutes)) };
}

/** A span as it is while its event is dragged. */
export function shifted(span: EventSpan, { edge, minutes }: Shift): EventSpan {
  const from = edge === 'move' ? plusMinutes(span.from, minutes) : span.from;
  const moved = plusMinutes(span.to, minutes);
  const earliest = span.allDay ? `${dayOf(from)} 23:59:59` : from;
  const to = moved < earliest ? earliest : moved;
  const last = to.endsWith(' 00:00:00') && to > from ? dayOf(plusMinutes(to, -1)) : dayOf(to);
  return { ...span, from, to, first: dayOf(from), last };
}

/** Saves a move in the clock of the event's own zone. */
async function save(event: CalendarEvent, { edge, minutes }: Shift): Promise<CalendarEvent> {
  const end = plusMinutes(event.end_date, minutes);
  const floor = event.all_day ? `${dayOf(event.start_date)} 23:59:59` : event.start_date;
  return update<CalendarEvent>('events', event.id, {
    ...(edge === 'move' && { start_date: plusMinutes(event.start_date, minutes) }),
    end_date: edge === 'end' && end < floor ? floor : end,
  });
}

const permissions = new Map<string, Promise<boolean>>();

/** Whether an event may be changed by who is signed in; asked once. */
function allowed(id: number): Promise<boolean> {
  const key = `${authorization() ?? ''} ${id}`;
  const known = permissions.get(key) ?? mayChange(id).catch(() => false);
  permissions.set(key, known);
  return known;
}

/** How far to scroll in a frame for a pointer there, between two edges; faster the nearer it is. */
const pull = (at: number, from: number, to: number): number =>
  at < from + edgeWidth
    ? -fastest * Math.min(1, (from + edgeWidth - at) / edgeWidth)
    : at > to - edgeWidth
      ? fastest * Math.min(1, (at - to + edgeWidth) / edgeWidth)
      : 0;

/** Scrolls the days, and the window where it is higher than the screen, while a pointer is at an edge; calls back for each step. Ends when aborted. */
function scrollAtEdges(box: HTMLElement, pointer: () => { x: number; y: number }, onScroll: () => void, signal: AbortSignal): void {
  const page = document.documentElement;
  const step = () => {
    if (signal.aborted) return;
    const { x, y } = pointer();
    const { left, right, top, bottom } = box.getBoundingClientRect();
    const before = [box.scrollLeft, box.scrollTop, page.scrollTop].join();
    // Hours stand beside the days, and heads above them: the edge of the days is theirs.
    const [side, head] = ['.hours > .gutter', '.whole-days'].map((part) => box.querySelector(part)?.getBoundingClientRect());
    box.scrollBy(pull(x, side?.right ?? left, right), pull(y, head?.bottom ?? top, Math.min(bottom, innerHeight)));
    page.scrollBy(0, pull(y, 0, innerHeight));
    if ([box.scrollLeft, box.scrollTop, page.scrollTop].join() !== before) onScroll();
    requestAnimationFrame(step);
  };
  requestAnimationFrame(step);
}

/** A place in a calendar where there is no event. */
export type Blank = NonNullable<ReturnType<typeof pointAt>>;

/** Calls back when a pointer is let go where it was pressed. */
function onStill(down: PointerEvent, still: () => void): void {
  const up = (at: PointerEvent) => {
    if (Math.hypot(at.clientX - down.clientX, at.clientY - down.clientY) < slack) still();
  };
  addEventListener('pointerup', up, { once: true });
}

/** Calls back when a finger rests where it came down, on an element whose menu stays away then. */
function onRest(down: PointerEvent, target: HTMLElement, rested: () => void): void {
  const over = new AbortController();
  const { signal } = over;
  const leave = () => {
    clearTimeout(timer);
    over.abort();
  };
  const timer = setTimeout(rested, hold);
  target.addEventListener('contextmenu', (event) => event.preventDefault(), { signal });
  addEventListener('pointerup', leave, { signal });
  addEventListener('pointercancel', leave, { signal });
  addEventListener('pointermove', (at) => Math.hypot(at.clientX - down.clientX, at.clientY - down.clientY) > slack && leave(), { signal });
}

/**
 * Lets whoever may move events with a pointer, and start a new one where there is none. A finger scrolls, unless it rested on an event.
 * Escape lets go of what is held. Without `onBlank` nothing can be done.
 */
export function useDrag(spans: readonly EventSpan[], onBlank: ((blank: Blank) => void) | undefined) {
  const [shift, setShift] = useState<Shift>();
  const latest = useRef(spans);
  useEffect(() => {
    // Loaded again, they say themselves where the event is now.
    if (latest.current !== spans) setShift(undefined);
    latest.current = spans;
  }, [spans]);

  const drop = async (event: CalendarEvent, done: Shift) => {
    // Who was quicker than the answer is refused here.
    if (!(await allowed(event.id))) return setShift(undefined);
    try {
      await save(event, done);
      const back = { ...done, minutes: -done.minutes };
      const undo = () => void update('events', event.id, { start_date: event.start_date, end_date: event.end_date }).catch(failed);
      toast(back.edge === 'move' ? 'Moved.' : 'Changed.', { label: 'Undo', run: undo });
    } catch (error) {
      failed(error);
      setShift(undefined);
    }
  };

  const canDrag = onBlank !== undefined;
  useEffect(() => {
    if (!canDrag) return;
    // A browser asks before it scrolls only where this was there when the finger came down.
    document.addEventListener('touchmove', ignore, { passive: false });
    return () => document.removeEventListener('touchmove', ignore);
  }, [canDrag]);

  const onPointerDown = (down: PointerEvent) => {
    const target = down.target instanceof Element ? down.target.closest<HTMLElement>('[data-event]') : null;
    if (!onBlank || down.button !== 0) return;
    if (down.pointerType === 'touch') {
      if (target) onRest(down, target, () => take(down, target));
      return;
    }
    if (down.target instanceof HTMLElement && down.target.dataset.day) {
      const blank = pointAt(down.clientX, down.clientY);
      if (blank) onStill(down, () => onBlank(blank));
    }
    if (target) take(down, target);
  };

  /** Moves an event with the pointer until it is let go. */
  const take = (down: PointerEvent, target: HTMLElement) => {
    const byTouch = down.pointerType === 'touch';
    const id = Number(target.dataset.event);
    const edge = (down.target as HTMLElement).dataset.edge === 'end' ? 'end' : 'move';
    const box = target.closest<HTMLElement>('.timetable, .month')!;
    let pointer = { x: down.clientX, y: down.clientY };
    const origin = pointAt(down.clientX, down.clientY);
    const event = latest.current.find((span) => span.event.id === id)?.event;
    if (!origin || !event) return;
    let may: boolean | undefined;
    let current: Shift | undefined;
    void allowed(id).then((answer) => {
      may = answer;
      if (!may) setShift(undefined);
    });
    const begin = () => document.documentElement.classList.add('dragging');
    const move = (at: PointerEvent) => {
      pointer = { x: at.clientX, y: at.clientY };
      if (current || Math.hypot(pointer.x - down.clientX, pointer.y - down.clientY) >= slack) follow();
    };
    const follow = () => {
      const here = pointAt(pointer.x, pointer.y);
      if (may === false || !here) return;
      const minutes = Math.round(((here.minute ?? 0) - (here.minute === undefined ? 0 : (origin.minute ?? 0))) / step) * step;
      if (!current) scrollAtEdges(box, () => pointer, follow, signal);
      current = { id, edge, minutes: daysBetween(origin.day, here.day) * dayMinutes + minutes };
      begin();
      setShift(current);
    };
    const ended = new AbortController();
    const end = (commit: boolean) => {
      document.documentElement.classList.remove('dragging');
      target.classList.remove('held');
      ended.abort();
      if (!current && !byTouch) return;
      addEventListener('click', swallow, { capture: true, once: true });
      setTimeout(() => removeEventListener('click', swallow, true));
      if (commit && current && current.minutes !== 0) void drop(event, current);
      else setShift(undefined);
    };
    const { signal } = ended;
    addEventListener('pointermove', move, { signal });
    addEventListener('pointerup', () => end(true), { signal });
    addEventListener('pointercancel', () => end(false), { signal });
    addEventListener('keydown', (key) => key.key === 'Escape' && end(false), { capture: true, signal });
    if (!byTouch) return;
    target.classList.add('held');
    begin();
    // What a finger came down on is told of its moves even when it is drawn elsewhere by then.
    target.addEventListener('touchmove', swallow, { passive: false, signal });
  };

  return { shift, onPointerDown };
}

const ignore = () => {};
const swallow = (event: Event) => {
  event.preventDefault();
  event.stopPropagation();
};
const failed = (error: unknown) => toast(`That was not changed: ${error instanceof Error ? error.message : String(error)}`);
