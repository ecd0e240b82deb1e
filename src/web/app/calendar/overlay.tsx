import { useEffect, useRef } from 'preact/hooks';
import type { EventRecord } from '../../../model/resources/record-types.ts';
import { closeOverlay, navigate } from '../address.ts';
import { today } from '../context.ts';
import { hasNoFocus } from '../keys/shortcuts.ts';
import { Button } from '../parts/controls.tsx';
import { Floating, LayerTitle } from '../parts/dialog.tsx';
import { textOfHtml } from '../parts/html.tsx';
import { type ListedEvent, permalinkPath } from '../record.ts';
import { Actions, useRecord } from '../records/actions.tsx';
import { EventView } from '../records/event.tsx';
import type { HueOf } from './hues.ts';
import type { EventSpan } from './span.ts';
import { type ViewState, viewAddress } from './state.ts';

interface OverlayProperties {
  state: ViewState;
  /** ID of the event that is shown over the calendar. */
  event: number | undefined;
  spans: readonly EventSpan[];
  hueOf: HueOf;
}

/** The event over the calendar. Its neighbors are the events of the view. */
export function Overlay({ state, event, spans, hueOf }: OverlayProperties) {
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
    if (index >= 0 && next) navigate(viewAddress(state, today(), next.event.id), { replace: true });
  };
  return (
    <EventPopover
      id={event}
      listed={spans[index]?.event}
      hueOf={hueOf}
      onClose={() => closeOverlay(viewAddress(state, today()))}
      onStep={show}
    />
  );
}

interface PopoverProperties {
  id: number;
  /** The event as the view shows it, until the complete one is loaded. */
  listed?: ListedEvent;
  hueOf: HueOf;
  onClose(): void;
  /** Shows the next (1) or previous (-1) event of the view. */
  onStep(by: number): void;
}

/** An event over the calendar. Escape and a click beside it close it; arrow keys show the next event. */
function EventPopover({ id, listed, hueOf, onClose, onStep }: PopoverProperties) {
  const { value, error, loading } = useRecord({ kind: 'event', path: String(id) });
  const record = value?.record as EventRecord | undefined;
  const event = record ?? listed;
  const title = event ? textOfHtml(event.title) : 'Event';
  const onKeyDown = (key: KeyboardEvent) => {
    const by = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[key.key];
    if (!by || key.altKey || key.ctrlKey || key.metaKey) return;
    key.preventDefault();
    onStep(by);
  };
  return (
    <Floating
      label={title}
      hue={event && hueOf(event)}
      busy={loading}
      anchor={() => document.querySelector(`.view [data-event="${id}"]`)}
      onClose={onClose}
      onKeyDown={onKeyDown}
    >
      {event ? (
        <EventView event={event} record={record} hueOf={hueOf} isOverlay />
      ) : (
        <LayerTitle>{error ? 'Event not found' : 'Event'}</LayerTitle>
      )}
      {error && !event && <p class="quiet">{error.message}</p>}
      {record && value && (
        <Actions kind="event" record={record} title={title} canEdit={value.canEdit} canDelete={value.canDelete} onDeleted={onClose}>
          <Button label="Open page" href={permalinkPath(record)} />
        </Actions>
      )}
    </Floating>
  );
}
