import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { Icon } from '../icon.tsx';
import { plain } from '../markup.ts';
import { type CalendarEvent, type ListedEvent, pathOf, statusText, venuesOf } from '../record.ts';
import { Actions } from '../records/actions.tsx';
import { Fact } from '../records/facts.tsx';
import { useRecord } from '../records/load.ts';
import { whenText } from './chip.tsx';
import type { HueOf } from './hues.ts';
import { spanOf } from './span.ts';

/** Distance between the popover, its event and the edges of the window, in px. */
const gapPx = 8;

/** Places the popover beside the event, or in the middle if the event isn't visible. Small screens show a sheet: see calendar.css. */
function place(dialog: HTMLElement, id: number): void {
  const anchor = document.querySelector(`.view [data-event="${id}"]`)?.getBoundingClientRect();
  const { offsetWidth: width, offsetHeight: height } = dialog;
  const [right, left] = [(anchor?.right ?? 0) + gapPx, (anchor?.left ?? 0) - gapPx - width];
  const fits = (x: number) => x >= gapPx && x + width <= innerWidth - gapPx;
  const x = anchor && fits(right) ? right : anchor && fits(left) ? left : (innerWidth - width) / 2;
  const y = anchor ? Math.min(anchor.top, innerHeight - height - gapPx) : (innerHeight - height) / 2;
  dialog.style.left = `${x}px`;
  dialog.style.top = `${Math.max(gapPx, y)}px`;
}

interface Properties {
  id: number;
  /** The event as the view shows it, until the complete one is loaded. */
  listed?: ListedEvent;
  timezone: string;
  hueOf: HueOf;
  onClose(): void;
  /** Shows the next (1) or previous (-1) event of the view. */
  onStep(by: number): void;
}

const maxExcerptLength = 280;
const shorten = (text: string) => (text.length > maxExcerptLength ? `${text.slice(0, maxExcerptLength).replace(/\s+\S*$/, '')}…` : text);

/** An event over the calendar. Escape and a click beside it close it; arrow keys show the next event. */
export function EventPopover({ id, listed, timezone, hueOf, onClose, onStep }: Properties) {
  const dialog = useRef<HTMLDialogElement>(null);
  const { value, error, loading } = useRecord({ kind: 'event', path: String(id) });
  const record = value?.record as CalendarEvent | undefined;
  const event = record ?? listed;
  const title = event && plain(event.title);
  useEffect(() => {
    const { current } = dialog;
    if (!current?.open) current?.showModal();
  }, []);
  useLayoutEffect(() => {
    if (dialog.current) place(dialog.current, id);
  });
  const onKeyDown = (key: KeyboardEvent) => {
    const by = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[key.key];
    if (!by || key.altKey || key.ctrlKey || key.metaKey) return;
    key.preventDefault();
    onStep(by);
  };
  const onClick = ({ target, clientX, clientY }: MouseEvent) => {
    const box = dialog.current!.getBoundingClientRect();
    const isInside = clientX >= box.left && clientX <= box.right && clientY >= box.top && clientY <= box.bottom;
    if (target === dialog.current && !isInside) onClose();
  };
  return (
    <dialog
      ref={dialog}
      class={`popover ${event ? hueOf(event) : ''}`}
      aria-labelledby="popover-title"
      aria-busy={loading}
      onCancel={(cancel) => {
        cancel.preventDefault();
        onClose();
      }}
      onClick={onClick}
      onKeyDown={onKeyDown}
    >
      <button type="button" class="button plain close" aria-label="Close" onClick={onClose}>
        <Icon name="close" />
      </button>
      <h2 id="popover-title" dir="auto">
        {title ?? (error ? 'Event not found' : 'Event')}
      </h2>
      {event && <EventFacts event={event} record={record} timezone={timezone} hueOf={hueOf} />}
      {error && !event && <p class="quiet">{error.message}</p>}
      {record && value && (
        <Actions kind="event" record={record} title={title!} canEdit={value.canEdit} canDelete={value.canDelete} onDeleted={onClose}>
          <a class="button" href={pathOf(record)}>
            Open page
          </a>
        </Actions>
      )}
    </dialog>
  );
}

interface FactsProperties extends Pick<Properties, 'timezone' | 'hueOf'> {
  event: ListedEvent;
  record?: CalendarEvent;
}

function EventFacts({ event, record, timezone, hueOf }: FactsProperties) {
  const venues = venuesOf(event);
  const excerpt = record && shorten(plain(record.excerpt || record.description));
  const terms = record ? [...record.categories, ...record.tags] : [];
  return (
    <>
      {(event.status !== 'publish' || event.featured) && (
        <p class="badges">
          {event.status !== 'publish' && <span class="badge">{statusText(event)}</span>}
          {event.featured && <span class="badge">Featured</span>}
        </p>
      )}
      <dl class="facts">
        <Fact icon="clock" name="Time">
          {whenText(spanOf(event, timezone))}
        </Fact>
        {venues.map((venue) => (
          <Fact icon="place" name="Venue" key={venue.id}>
            <bdi>{[plain(venue.venue), plain(venue.city)].filter(Boolean).join(', ')}</bdi>
          </Fact>
        ))}
        {record && record.organizer.length > 0 && (
          <Fact icon="person" name="Organizers">
            {record.organizer.map(({ organizer }) => plain(organizer)).join(', ')}
          </Fact>
        )}
        {event.cost && (
          <Fact icon="ticket" name="Cost">
            {plain(event.cost)}
          </Fact>
        )}
        {terms.length > 0 && (
          <Fact icon="tag" name="Categories and tags">
            <ul class="terms">
              {terms.map((term) => (
                <li key={term.id}>
                  <span class={`term ${record!.categories.includes(term) ? hueOf({ categories: [term] }) : ''}`}>
                    <bdi>{plain(term.name)}</bdi>
                  </span>
                </li>
              ))}
            </ul>
          </Fact>
        )}
      </dl>
      {excerpt && <p class="excerpt">{excerpt}</p>}
    </>
  );
}
