import { useEffect, useRef, useState } from 'preact/hooks';
import { Button } from '../controls.tsx';
import { newAddressOf } from '../forms/address.ts';
import { resultsShortcut, toResults, useShortcuts } from '../keys/shortcuts.ts';
import { lazy } from '../lazy.tsx';
import { canUseControl } from '../server/session.ts';
import { toast } from '../toast.tsx';
import type { PanelName, TableState } from './state.ts';

const Panel = lazy(async () => (await import('./transfer.ts')).Panel, null);

interface Properties {
  state: TableState;
  /** The query of the list. */
  query?: Record<string, string>;
  canCreate?: boolean;
  onFile(file: File): void;
  onColumns(columns: string[]): void;
}

const noControl = 'The control API of this server isn’t available here.';

/** Buttons to create, import, export and copy, and to choose the columns. */
export function Tools({ state, query, canCreate, onFile, onColumns }: Properties) {
  const [open, setOpen] = useState<PanelName>();
  const bar = useRef<HTMLDivElement>(null);
  const input = useRef<HTMLInputElement>(null);
  const { table } = state;
  const create = table === 'trash' ? undefined : newAddressOf(table);
  const toggle = (name: typeof open, reason?: string) => () => (reason ? toast(reason) : setOpen(open === name ? undefined : name));
  const reason = canUseControl() ? undefined : noControl;
  return (
    <div class="buttons data-tools" ref={bar}>
      {create && canCreate && <Button icon="plus" label="New" look="main" href={create} />}
      <Button
        label="Import"
        aria-disabled={reason ? true : undefined}
        title={reason ?? 'Or drop a file on this page'}
        onClick={() => (reason ? toast(reason) : input.current?.click())}
      />
      <input
        ref={input}
        type="file"
        class="unseen"
        tabIndex={-1}
        aria-label="File to import"
        accept=".json,.ndjson,.csv,.tsv,.ics"
        onChange={({ currentTarget }) => {
          const [file] = currentTarget.files ?? [];
          if (file) onFile(file);
          currentTarget.value = '';
        }}
      />
      <Button label="Export" aria-disabled={reason ? true : undefined} title={reason} onClick={toggle('export', reason)} />
      {table !== 'trash' && (
        <>
          <Button label="Columns" onClick={toggle('columns')} />
          <Button label="Copy as" onClick={toggle('copy')} />
        </>
      )}
      {open && (
        <Panel
          name={open}
          state={state}
          query={query}
          anchor={() => bar.current}
          onColumns={onColumns}
          onClose={() => setOpen(undefined)}
        />
      )}
    </div>
  );
}

/** The cell that Tab reaches. */
const firstCell = '[data-cell][tabindex="0"]';

/** Delay between the last key and the search. */
const debounceMs = 250;

/** The search of a list. */
export function Search({ text, onSearch }: { text: string; onSearch(text: string): void }) {
  const [value, setValue] = useState(text);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => setValue(text), [text]);
  useShortcuts([{ key: '/', label: 'Search records', run: () => input.current?.focus() }, resultsShortcut('Go to the table', firstCell)]);
  return (
    <input
      ref={input}
      type="search"
      class="table-search"
      placeholder="Search"
      aria-label="Search records"
      value={value}
      onKeyDown={toResults(firstCell)}
      onInput={({ currentTarget }) => {
        setValue(currentTarget.value);
        clearTimeout(timer.current);
        timer.current = setTimeout(() => onSearch(currentTarget.value.trim()), debounceMs);
      }}
    />
  );
}
