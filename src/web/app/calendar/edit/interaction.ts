import type { RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { navigate } from '../../address.ts';
import { lockReason } from '../../data/records.ts';
import { editAddress, newEventAddress } from '../../forms/address.ts';
import { openQuickAdd } from '../../keys/quick-add.tsx';
import { toast } from '../../parts/toast.tsx';
import { permalinkPath } from '../../record.ts';
import type { EventSpan } from '../span.ts';
import { type Shift, saveShift, showError, useDrag } from './drag.ts';

interface Properties {
  view: RefObject<HTMLElement | null>;
  spans: readonly EventSpan[];
  /** True if the user may create events. */
  canCreate: boolean;
  /** Called while an event is dragged, and with undefined afterwards. */
  onShift?(shift: Shift | undefined): void;
}

/** Why the user can't create events. */
export const createReason = (): string => lockReason('create events', 'creating events');

/** Lets the user move, resize and create events with pointer and keyboard. Renders nothing. */
export function Interaction({ view, spans, canCreate, onShift }: Properties) {
  const { shift, onPointerDown } = useDrag(
    spans,
    !onShift
      ? undefined
      : canCreate
        ? {
            onClick: ({ day, minute }) => openQuickAdd(day, minute === undefined ? undefined : Math.floor(minute / 30) * 30),
            onSelect: ({ from, to }) => navigate(newEventAddress(from.day, from.minute, to)),
          }
        : { onClick: () => toast(createReason()), onSelect: () => toast(createReason()) },
  );
  useEventKeys(view, spans, canCreate);
  // biome-ignore lint/correctness/useExhaustiveDependencies: reports each shift once.
  useEffect(() => onShift?.(shift), [shift]);
  useEffect(() => {
    const { current } = view;
    current?.addEventListener('pointerdown', onPointerDown);
    return () => current?.removeEventListener('pointerdown', onPointerDown);
  });
  return null;
}

/** The links to events, without those in dialogs. */
const eventLinks = (view: HTMLElement): HTMLElement[] =>
  [...view.querySelectorAll<HTMLElement>('[data-event]')].filter((link) => !link.closest('dialog'));
const focusedEvent = (): HTMLElement | undefined => {
  const link = document.activeElement?.closest<HTMLElement>('.view [data-event]');
  return link && !link.closest('dialog') ? link : undefined;
};
/** Minutes by which an arrow key moves an event: by days in a month, by quarters of an hour in hour columns. */
const moves: Record<'month' | 'hours', Record<string, number>> = {
  month: { ArrowLeft: -1440, ArrowRight: 1440, ArrowUp: -7 * 1440, ArrowDown: 7 * 1440 },
  hours: { ArrowLeft: -1440, ArrowRight: 1440, ArrowUp: -15, ArrowDown: 15 },
};

/** The event that is nearest in a direction. */
function nearest(from: HTMLElement, key: string, all: readonly HTMLElement[]): HTMLElement | undefined {
  const center = (element: HTMLElement) => {
    const { left, top, width, height } = element.getBoundingClientRect();
    return [left + Math.min(width, 40) / 2, top + Math.min(height, 24) / 2] as const;
  };
  const [x, y] = center(from);
  const isSideways = key === 'ArrowLeft' || key === 'ArrowRight';
  const sign = key === 'ArrowLeft' || key === 'ArrowUp' ? -1 : 1;
  let best: HTMLElement | undefined;
  let bestDistance = Number.POSITIVE_INFINITY;
  for (const element of all) {
    const [dx, dy] = [center(element)[0] - x, center(element)[1] - y];
    const [along, across] = isSideways ? [dx * sign, Math.abs(dy)] : [dy * sign, Math.abs(dx)];
    const distance = along + across * 2;
    if (along > 4 && distance < bestDistance) [best, bestDistance] = [element, distance];
  }
  return best;
}

/**
 * Lets the arrow keys move the focus between events, Alt with arrows move an event, and Alt with Shift and arrows change its end. Tab reaches
 * the events in one stop: the one that had the focus last, or the first.
 */
function useEventKeys(view: RefObject<HTMLElement | null>, spans: readonly EventSpan[], canEdit: boolean): void {
  const focused = useRef<number | undefined>(undefined);
  const shouldFocus = useRef(false);
  const latest = useRef(spans);
  latest.current = spans;
  useEffect(() => {
    const container = view.current;
    if (!container) return;
    const update = () => {
      const links = eventLinks(container);
      const current = links.find(({ dataset }) => Number(dataset.event) === focused.current) ?? links[0];
      for (const link of links) link.tabIndex = link === current ? 0 : -1;
      if (!shouldFocus.current || !current) return;
      current.focus();
      shouldFocus.current = false;
    };
    update();
    const observer = new MutationObserver(update);
    observer.observe(container, { childList: true, subtree: true });
    return () => observer.disconnect();
  }, [view]);
  useEffect(() => {
    const container = view.current;
    if (!container) return;
    const onFocus = () => {
      const link = focusedEvent();
      if (!link) return;
      for (const other of eventLinks(container)) other.tabIndex = -1;
      link.tabIndex = 0;
      focused.current = Number(link.dataset.event);
    };
    const shift = async (event: EventSpan['event'], change: Pick<Shift, 'edge' | 'minutes'>) => {
      try {
        await saveShift(event, change);
        shouldFocus.current = true;
      } catch (error) {
        showError(error);
      }
    };
    const onKeyDown = (key: KeyboardEvent) => {
      const link = focusedEvent();
      if (!link || key.ctrlKey || key.metaKey) return;
      const event = latest.current.find((span) => span.event.id === Number(link.dataset.event))?.event;
      if (key.key === 'e' && !key.altKey && event && canEdit) {
        key.preventDefault();
        return navigate(editAddress(permalinkPath(event)));
      }
      const minutes = moves[link.closest('.timetable-column') ? 'hours' : 'month'][key.key];
      if (minutes === undefined) return;
      key.preventDefault();
      key.stopPropagation();
      if (key.altKey) {
        if (event && canEdit) void shift(event, { edge: key.shiftKey ? 'end' : 'move', minutes });
        return;
      }
      nearest(link, key.key, eventLinks(container))?.focus();
    };
    container.addEventListener('focusin', onFocus);
    container.addEventListener('keydown', onKeyDown);
    return () => {
      container.removeEventListener('focusin', onFocus);
      container.removeEventListener('keydown', onKeyDown);
    };
  }, [view, canEdit]);
}
