import type { RefObject } from 'preact';
import { useEffect } from 'preact/hooks';
import { navigate } from '../../address.ts';
import { newEventAddress } from '../../forms/address.ts';
import type { EventSpan } from '../span.ts';
import { useDrag } from './drag.ts';
import { useEventKeys } from './event-keys.ts';
import type { Shift } from './shift.ts';

interface Properties {
  view: RefObject<HTMLElement | null>;
  spans: readonly EventSpan[];
  /** True if the user may create events. */
  canCreate: boolean;
  /** Called while an event is dragged, and with undefined afterwards. */
  onShift?(shift: Shift | undefined): void;
}

/** Lets the user move, resize and create events with pointer and keyboard. Renders nothing. */
export function Interaction({ view, spans, canCreate, onShift }: Properties) {
  const { shift, onPointerDown } = useDrag(
    spans,
    canCreate && onShift
      ? {
          onClick: ({ day, minute }) => navigate(newEventAddress(day, minute === undefined ? undefined : Math.floor(minute / 30) * 30)),
          onSelect: ({ from, to }) => navigate(newEventAddress(from.day, from.minute, to)),
        }
      : undefined,
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
