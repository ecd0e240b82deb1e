import { useEffect, useRef, useState } from 'preact/hooks';
import { type DataFormat, dataFormats } from '../../../model/operations/formats.ts';
import { tables } from '../../definitions.ts';
import { searchDelayMs, useDelayed } from '../delay.ts';
import { newAddressOf } from '../forms/address.ts';
import { resultsShortcut, toResults, useShortcuts } from '../keys/shortcuts.ts';
import { copyText } from '../parts/code.tsx';
import { Button } from '../parts/controls.tsx';
import { Floating, LayerTitle } from '../parts/dialog.tsx';
import { toast } from '../parts/toast.tsx';
import { apiUrl } from '../server/api.ts';
import { controlAddress, download } from '../server/control.ts';
import { createSamples } from '../traffic/samples.tsx';
import { accessReason, useAccess } from '../workbench/gate.tsx';
import { type PanelName, type TableState, visibleColumns } from './state.ts';
import './tools.css';

interface Properties {
  state: TableState;
  /** The query of the list. */
  query?: Record<string, string>;
  canCreate?: boolean;
  onFile(file: File): void;
  onColumns(columns: string[]): void;
}

/** Buttons to create, import, export and copy, and to choose the columns. */
export function Tools({ state, query, canCreate, onFile, onColumns }: Properties) {
  const [open, setOpen] = useState<PanelName>();
  const bar = useRef<HTMLDivElement>(null);
  const input = useRef<HTMLInputElement>(null);
  const { table } = state;
  const create = table === 'trash' ? undefined : newAddressOf(table);
  const toggle = (name: typeof open, reason?: string) => () => (reason ? toast(reason) : setOpen(open === name ? undefined : name));
  const reason = useAccess().canEdit === false ? accessReason() : undefined;
  return (
    <div class="buttons tools scrolling-row screen-only" ref={bar}>
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

/** The search of a list. */
export function Search({ text, onSearch }: { text: string; onSearch(text: string): void }) {
  const [value, setValue] = useState(text);
  const [searchSoon] = useDelayed(onSearch, searchDelayMs);
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => setValue(text), [text]);
  useShortcuts([{ key: '/', label: 'Search records', run: () => input.current?.focus() }, resultsShortcut('Go to the table', firstCell)]);
  return (
    <input
      ref={input}
      type="search"
      class="full-view-search"
      placeholder="Search"
      aria-label="Search records"
      value={value}
      onKeyDown={toResults(firstCell)}
      onInput={({ currentTarget }) => {
        setValue(currentTarget.value);
        searchSoon(currentTarget.value.trim());
      }}
    />
  );
}

interface PanelProperties {
  name: PanelName;
  state: TableState;
  query?: Record<string, string>;
  anchor(): Element | null;
  onColumns(columns: string[]): void;
  onClose(): void;
}

/** The part of the tools that a button opens. */
function Panel({ name, state, query, anchor, onColumns, onClose }: PanelProperties) {
  return (
    <Floating label={labels[name]} hasMenu anchor={anchor} onClose={onClose}>
      <LayerTitle>{labels[name]}</LayerTitle>
      {name === 'columns' && <Columns state={state} onColumns={onColumns} />}
      {name === 'export' && <Export state={state} onDone={onClose} />}
      {name === 'copy' && <CopyAs path={apiUrl(`/${state.table}`, query)} onDone={onClose} />}
    </Floating>
  );
}

const labels = { columns: 'Columns', export: 'Export', copy: 'Copy the request for this list' };

function Columns({ state, onColumns }: Pick<PanelProperties, 'state' | 'onColumns'>) {
  const columns = visibleColumns(state);
  const all = state.table === 'trash' ? [] : tables[state.table].columns;
  const toggle = (column: string) => {
    if (!columns.includes(column)) return onColumns([...columns, column]);
    if (columns.length > 1) onColumns(columns.filter((each) => each !== column));
  };
  return (
    <ul class="tools-columns">
      {[...columns, ...all.filter((column) => !columns.includes(column))].map((column) => (
        <li class="tools-column" key={column}>
          <label class="check">
            <input type="checkbox" checked={columns.includes(column)} onChange={() => toggle(column)} />
            {column}
          </label>
          {columns.indexOf(column) > 0 && (
            <Button
              icon="previous"
              look="small square"
              aria-label={`Move ${column} to the left`}
              onClick={() => onColumns(movedLeft(columns, column))}
            />
          )}
        </li>
      ))}
    </ul>
  );
}

function movedLeft(columns: readonly string[], column: string): string[] {
  const rest = columns.filter((each) => each !== column);
  rest.splice(columns.indexOf(column) - 1, 0, column);
  return rest;
}

function Export({ state: { table }, onDone }: { state: TableState; onDone(): void }) {
  const save = (format: DataFormat) => {
    onDone();
    // A CSV file has the records of one resource.
    const only = format === 'csv' ? (table === 'trash' ? 'events' : table) : undefined;
    void download(
      `${controlAddress('export')}?${new URLSearchParams({ format, ...(only && { only }) })}`,
      `${only ?? 'calendar'}.${format}`,
    );
  };
  return (
    <>
      <p class="quiet">JSON and NDJSON contain the whole calendar, CSV one resource, iCalendar the events.</p>
      <p class="form-actions">
        {dataFormats.map((format) => (
          <Button key={format} label={format} onClick={() => save(format)} />
        ))}
      </p>
    </>
  );
}

function CopyAs({ path, onDone }: { path: string; onDone(): void }) {
  const { curl, calendar } = createSamples({ method: 'GET', path, headers: {} });
  const forms = { URL: location.origin + path, curl: curl!, command: calendar! };
  return (
    <p class="form-actions">
      {Object.entries(forms).map(([name, text]) => (
        <Button
          key={name}
          label={name}
          onClick={() => {
            onDone();
            copyText(text);
          }}
        />
      ))}
    </p>
  );
}
