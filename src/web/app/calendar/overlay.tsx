import { useEffect, useRef } from 'preact/hooks';
import { closeOverlay, navigate } from '../address.ts';
import { context, today } from '../context.ts';
import { hasNoFocus } from '../keys/shortcuts.ts';
import { lazy } from '../lazy.tsx';
import type { HueOf } from './hues.ts';
import type { EventSpan } from './span.ts';
import { addressOf, type CalendarState } from './state.ts';

const EventPopover = lazy(async () => (await import('./views/more-views.ts')).EventPopover, null);

interface Properties {
  state: CalendarState;
  /** ID of the event that is shown over the calendar. */
  event: number | undefined;
  spans: readonly EventSpan[];
  hueOf: HueOf;
}

/** The event over the calendar. Its neighbors are the events of the view. */
export function Overlay({ state, event, spans, hueOf }: Properties) {
  const lastEvent = useRef(event);
  // The event that was shown last gets the focus, unless it is in use elsewhere.
  useEffect(() => {
    const last = lastEvent.current;
    lastEvent.current = event;
    if (event !== undefined || last === undefined) return;
    if (hasNoFocus() || document.activeElement?.closest('.view'))
      document.querySelector<HTMLElement>(`.view [data-event="${last}"]`)?.focus();
  }, [event]);
  if (event === undefined) return null;
  const index = spans.findIndex((span) => span.event.id === event);
  const show = (by: number) => {
    const next = spans[index + by];
    if (index >= 0 && next) navigate(addressOf(state, today(), next.event.id), { replace: true });
  };
  return (
    <EventPopover
      id={event}
      listed={spans[index]?.event}
      timezone={context.timezone}
      hueOf={hueOf}
      onClose={() => closeOverlay(addressOf(state, today()))}
      onStep={show}
    />
  );
}
