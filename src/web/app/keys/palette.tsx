import { useEffect, useId, useState } from 'preact/hooks';
import type { ResourceName } from '../../../model/calendar.ts';
import { dayOf } from '../../../model/time/days.ts';
import type { TypedText } from '../../../model/web-page.ts';
import { filterDefinitions, labels } from '../../definitions.ts';
import { navigate, returnAddress, trafficAddress } from '../address.ts';
import { filteredAddress } from '../calendar/links.ts';
import { context } from '../context.ts';
import { suggestDelayMs } from '../delay.ts';
import { dayText } from '../format.ts';
import { Modal } from '../parts/dialog.tsx';
import { textOfHtml } from '../parts/html.tsx';
import { type Post, permalinkPath } from '../record.ts';
import { listPage, useTypedText } from '../server/api.ts';
import { currentShortcuts } from './shortcuts.ts';
import './palette.css';

interface Item {
  label: string;
  note?: string;
  run(): void;
}

const maxPerResource = 5;
const pages = [
  ['Calendar', '/'],
  ['Data', '/_calendar/data'],
  ['Traffic', '/_calendar/traffic'],
  ['New request', trafficAddress({ new: '' })],
  ...(context.control ? ([['Workbench', '/_calendar/']] as const) : []),
] as const;
const go = (address: string) => () => navigate(address);

/** The calendar's address with another day. */
function dayAddress(day: string): string {
  const address = new URL(returnAddress(), location.href);
  address.searchParams.set('day', day);
  return address.pathname + address.search;
}

function actionItems(text: string): Item[] {
  const key = new KeyboardEvent('keydown');
  const active = currentShortcuts().filter(({ isActive }) => isActive?.() !== false);
  const actions = active.map(({ label, key: name, run }) => ({ label, note: name, run: () => run(key) }));
  const items: Item[] = [...actions, ...pages.map(([label, address]) => ({ label, note: 'Page', run: go(address) }))];
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return items.filter(({ label }) => words.every((word) => label.toLowerCase().includes(word)));
}

function dateItems(date: TypedText['date']): Item[] {
  if (!date) return [];
  const day = dayOf(date.wall);
  return [{ label: `Go to ${dayText(day)}`, note: 'Date', run: go(dayAddress(day)) }];
}

const recordItem = (resource: ResourceName, record: Post): Item => ({
  label: textOfHtml(record[labels[resource].label]),
  note: [resource, textOfHtml(record.start_date).slice(0, 16)].filter(Boolean).join(' · '),
  run: go(permalinkPath(record)),
});

/** Shows only the events of a record. */
interface RecordFilter {
  label: string;
  note: string;
  address: string;
}

/** The address of the calendar without its search, with only the events of a record. */
function filterOf(resource: ResourceName, record: Post, name: string): RecordFilter {
  const { isPost, label } = labels[resource];
  const address = filteredAddress(name, [isPost ? String(record.id) : record.slug]);
  return { label: `Only ${textOfHtml(record[label])}`, note: resource, address };
}

/** Finds the venues, organizers, categories and tags whose events can be selected. */
export async function recordFilters(search: string, signal: AbortSignal): Promise<RecordFilter[]> {
  const matches = await findRecords(search, signal);
  return matches.flatMap(({ resource, record, filter }) => (filter ? [filterOf(resource, record, filter)] : [])).slice(0, maxPerResource);
}

/** Finds records, and filters for their events; after “only”, just the filters. */
async function recordItems(typed: string, signal: AbortSignal): Promise<Item[]> {
  const search = typed.replace(/^only\s+/i, '');
  const matches = await findRecords(search, signal, search === typed);
  return matches.flatMap(({ resource, record, filter }) => {
    const { label, note, address } = filter ? filterOf(resource, record, filter) : { label: '', note: '', address: '' };
    return [
      ...(labels[resource].isPost && search === typed ? [recordItem(resource, record)] : []),
      ...(filter ? [{ label, note: `Filter · ${note}`, run: go(address) }] : []),
    ];
  });
}

/** Finds records that events can be filtered by, with the filter; `withPages` includes all others that have a page. */
async function findRecords(search: string, signal: AbortSignal, withPages = false) {
  const lists = (Object.keys(labels) as ResourceName[]).map(async (resource) => {
    const { isPost } = labels[resource];
    const filter = filterDefinitions.find(({ links }) => links === resource)?.name;
    if (!filter && !(withPages && isPost)) return [];
    const query = { search, per_page: maxPerResource, ...(!isPost && { hide_empty: false }) };
    const { records } = await listPage<Post>(resource, query, signal).catch(() => ({ records: [] }));
    return records.map((record) => ({ resource, record, filter }));
  });
  return (await Promise.all(lists)).flat();
}

/** Finds views, dates, records, filters and actions by a few letters. */
export function Palette({ onClose }: { onClose(): void }) {
  const id = useId();
  const [text, setText] = useState('');
  const [records, setRecords] = useState<Item[]>([]);
  const [active, setActive] = useState(0);
  useEffect(() => {
    if (text.trim().length < 2) return setRecords([]);
    const controller = new AbortController();
    const timer = setTimeout(
      () => recordItems(text.trim(), controller.signal).then((items) => controller.signal.aborted || setRecords(items)),
      suggestDelayMs,
    );
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [text]);
  const [read, complete] = useTypedText(text);
  const itemsWith = (date: TypedText['date']) => [...dateItems(date), ...actionItems(text), ...records];
  const items = itemsWith(text.trim() ? read?.date : undefined);
  const index = Math.min(active, items.length - 1);
  useEffect(() => document.getElementById(`${id}${index}`)?.scrollIntoView({ block: 'nearest' }), [id, index]);
  const run = (item: Item | undefined) => {
    if (!item) return;
    onClose();
    item.run();
  };
  /** Runs the active item; after fast typing, once the date of the text is known. */
  const runActive = async () => {
    const current = itemsWith(text.trim() ? (await complete().catch(() => undefined))?.date : undefined);
    run(current[Math.min(active, current.length - 1)]);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const by = { ArrowDown: 1, ArrowUp: items.length - 1 }[event.key];
    if (event.key === 'Enter') void runActive();
    else if (by === undefined) return;
    else setActive((index + by) % Math.max(1, items.length));
    event.preventDefault();
  };
  return (
    <Modal title="Find" hasNoHeading class="palette" onClose={onClose}>
      <input
        class="palette-input"
        type="text"
        role="combobox"
        aria-label="Find a view, date, record or action"
        placeholder="Find a view, date, record or action"
        autocomplete="off"
        aria-expanded={items.length > 0}
        aria-controls={id}
        aria-activedescendant={items.length ? `${id}${index}` : undefined}
        value={text}
        onInput={({ currentTarget }) => {
          setText(currentTarget.value);
          setActive(0);
        }}
        onKeyDown={onKeyDown}
      />
      <div class="palette-items" id={id} role="listbox" aria-label="Results">
        {items.map((item, at) => (
          <div
            class="palette-item"
            key={`${item.label} ${item.note}`}
            id={`${id}${at}`}
            role="option"
            tabIndex={-1}
            aria-selected={at === index}
            onMouseMove={() => setActive(at)}
            onMouseDown={(event) => {
              event.preventDefault();
              run(item);
            }}
          >
            <bdi>{item.label}</bdi>
            {item.note && <small>{item.note}</small>}
          </div>
        ))}
      </div>
      {!items.length && <p class="quiet">No results.</p>}
    </Modal>
  );
}
