import { useEffect, useState } from 'preact/hooks';
import { nameKey } from '../../../model/html/name-key.ts';
import type { EventRecord, VenueRecord } from '../../../model/resources/record-types.ts';
import type { Day } from '../../../model/time/days.ts';
import type { ClickedTime, EventLine } from '../../../model/time/typed/event-line.ts';
import { navigate, returnAddress } from '../address.ts';
import { useCategories } from '../calendar/events.ts';
import { whenText } from '../calendar/grid/chip.tsx';
import { daysOf } from '../calendar/span.ts';
import { context } from '../context.ts';
import { plusMinutes } from '../days.ts';
import { suggestDelayMs } from '../delay.ts';
import { newEventForm } from '../forms/address.ts';
import { useLoaded } from '../loading.ts';
import { ErrorText, Form, Icon } from '../parts/controls.tsx';
import { Modal } from '../parts/dialog.tsx';
import { textOfHtml } from '../parts/html.tsx';
import type { Term } from '../record.ts';
import { createWithUndo } from '../records/undo.ts';
import { listPage, messageOf, useTypedText } from '../server/api.ts';
import { openDialog } from './dialogs.tsx';
import './quick-add.css';

const equals = (one: string, other: string) => nameKey(one) === nameKey(other);

/** Finds the venue with a name. */
async function findVenue(name: string, signal?: AbortSignal): Promise<{ venue?: VenueRecord }> {
  const { records } = await listPage<VenueRecord>('venues', { search: name, per_page: 50 }, signal).catch(() => ({ records: [] }));
  return { venue: records.find(({ venue }) => equals(textOfHtml(venue), name)) };
}

/** The venue with a name once the user has stopped typing it. */
function useVenue(name: string | undefined): { venue?: VenueRecord } | undefined {
  const [searchedName, setSearchedName] = useState<string>();
  useEffect(() => {
    const timer = setTimeout(() => setSearchedName(name), suggestDelayMs);
    return () => clearTimeout(timer);
  }, [name]);
  const { value } = useLoaded(searchedName ? `venue named ${searchedName}` : undefined, (signal) => findVenue(searchedName!, signal));
  return searchedName === name ? value : undefined;
}

/** Splits labels into existing categories and tags. */
function sortLabels(labels: readonly string[], categories: readonly Term[]) {
  const categoryOf = (label: string) => categories.find(({ slug, name }) => equals(slug, label) || equals(textOfHtml(name), label));
  return {
    categories: labels.flatMap((label) => categoryOf(label) ?? []),
    tags: labels.filter((label) => !categoryOf(label)),
  };
}

const noLine: EventLine = { title: '', labels: [], leftover: [] };

/** Opens the line for a new event. The event is on the day, at the minute of it, unless the line says another. */
export function openQuickAdd(day?: Day, minute?: number): void {
  const time = minute === undefined ? {} : { time: plusMinutes(`${day} 00:00:00`, minute).slice(11, 16) };
  const clicked = day === undefined ? undefined : { day, ...time };
  openDialog((properties) => <QuickAdd clicked={clicked} {...properties} />);
}

/** Words for a recurrence, which this page doesn't create. */
const repeats = /\b(every|each|daily|weekly|monthly|yearly|annually)\b/i;

/** Creates an event from one line of text, with a preview. */
function QuickAdd({ clicked, onClose }: { clicked?: ClickedTime; onClose(): void }) {
  const [text, setText] = useState('');
  const [errorText, setErrorText] = useState('');
  const { value: allCategories = [] } = useCategories();
  const [read, complete] = useTypedText(text, undefined, clicked);
  const line = read?.event ?? noLine;
  const match = useVenue(line.venue);
  const { categories, tags } = sortLabels(line.labels, allCategories);
  /** Opens the form with everything that was typed. */
  const openForm = async () => {
    const { event: line } = await complete().catch(() => ({ event: noLine }));
    const { categories, tags } = sortLabels(line.labels, allCategories);
    const venue = line.venue && ((match ?? (await findVenue(line.venue))).venue ?? undefined);
    onClose();
    navigate(
      newEventForm({
        title: line.title,
        ...(line.span && {
          start_date: line.span.start.wall.slice(0, line.span.allDay ? 10 : 16),
          end_date: line.span.end.wall.slice(0, line.span.allDay ? 10 : 16),
          all_day: line.span.allDay === true,
          timezone: context.timezone,
        }),
        ...(line.venue && {
          venue: [venue ? { value: String(venue.id), label: line.venue } : { value: `new:${line.venue}`, label: line.venue }],
        }),
        categories: categories.map(({ slug, name }) => ({ value: slug, label: textOfHtml(name) })),
        tags: tags.map((tag) => ({ value: `new:${tag}`, label: tag })),
      }),
    );
  };
  const save = async () => {
    try {
      const { event: line } = await complete();
      if (!line.title || !line.span) return setErrorText(line.title ? 'Add a date, such as “friday 20:00”.' : 'Add a title.');
      const { start, end, allDay } = line.span;
      const { categories, tags } = sortLabels(line.labels, allCategories);
      const venue = line.venue ? (match ?? (await findVenue(line.venue))).venue : undefined;
      const created = await createWithUndo<EventRecord>(
        'events',
        {
          title: line.title,
          start_date: start.wall,
          end_date: end.wall,
          timezone: context.timezone,
          ...(allDay && { all_day: true }),
          ...(line.venue && { venue: venue ? venue.id : { venue: line.venue } }),
          ...(categories.length && { categories: categories.map(({ id }) => id) }),
          ...(tags.length && { tags }),
        },
        line.title,
      );
      onClose();
      const address = new URL(returnAddress(), location.href);
      address.searchParams.set('day', created.start_date.slice(0, 10));
      address.searchParams.set('event', String(created.id));
      navigate(address.pathname + address.search);
    } catch (error) {
      setErrorText(messageOf(error));
    }
  };
  return (
    <Modal title="New event" class="quick-add" onClose={onClose}>
      <Form submit="Create event" onSubmit={save} onCancel={onClose}>
        <input
          class="quick-add-input"
          type="text"
          aria-label="Title, date, time, venue and labels"
          aria-describedby="quick-preview"
          placeholder="Jazz friday 20:00 at Cellar Club #music"
          autocomplete="off"
          value={text}
          onInput={({ currentTarget }) => {
            setText(currentTarget.value);
            setErrorText('');
          }}
        />
        <div id="quick-preview" aria-live="polite">
          <Preview line={line} isNewVenue={match !== undefined && !match.venue} categories={categories} tags={tags} />
          {repeats.test(text) && <p class="hint">Creates one event: repeats aren’t read here. Use calendar events create --repeat.</p>}
        </div>
        <ErrorText text={errorText} />
        <p>
          <button type="button" class="link" onClick={openForm}>
            More fields
          </button>
        </p>
      </Form>
    </Modal>
  );
}

/** A title in which the words that were not understood are marked. */
function marked(title: string, leftover: readonly string[]) {
  const words = leftover.flatMap((text) => text.split(/\s+/));
  // biome-ignore lint/suspicious/noArrayIndexKey: the words don't move.
  return title.split(/(\s+)/).map((word, at) => (words.includes(word) ? <mark key={at}>{word}</mark> : word));
}

interface PreviewProperties {
  line: EventLine;
  isNewVenue: boolean;
  categories: readonly Term[];
  tags: readonly string[];
}

function Preview({ line, isNewVenue, categories, tags }: PreviewProperties) {
  const { span, venue, title, leftover } = line;
  const when = span && whenText({ ...daysOf(span.start.wall, span.end.wall), allDay: span.allDay } as Parameters<typeof whenText>[0]);
  return (
    <dl class="quick-add-preview">
      <dt class="unseen">Title</dt>
      <dd>
        <strong>{title ? marked(title, leftover) : 'No title yet'}</strong>
        {leftover.length > 0 && <span class="quiet"> (not read as a date, time or price: {leftover.join(', ')})</span>}
      </dd>
      <dt class="unseen">Time</dt>
      <dd>
        <Icon name="clock" /> {when ?? 'No date yet'}
        {line.isClicked && <span class="quiet"> (on the day you clicked)</span>}
        {line.words && <span class="quiet"> (“{line.words}”)</span>}
        {span?.usual && <span class="quiet"> ({span.usual})</span>}
      </dd>
      {venue && (
        <>
          <dt class="unseen">Venue</dt>
          <dd>
            <Icon name="place" /> {venue}
            {isNewVenue && <span class="badge">New venue</span>}
          </dd>
        </>
      )}
      {categories.length + tags.length > 0 && (
        <>
          <dt class="unseen">Labels</dt>
          <dd>
            <Icon name="tag" /> {[...categories.map(({ name }) => textOfHtml(name)), ...tags.map((tag) => `#${tag}`)].join(', ')}
          </dd>
        </>
      )}
    </dl>
  );
}
