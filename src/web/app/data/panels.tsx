import { type DataFormat, dataFormats } from '../../../model/operations/formats.ts';
import { tables } from '../../table-definitions.ts';
import { copyText } from '../code.tsx';
import { Button } from '../controls.tsx';
import { createSamples } from '../explorer/request.ts';
import { Floating } from '../floating.tsx';
import { addressOf } from '../server/api.ts';
import { controlAddress } from '../server/control.ts';
import { download } from '../server/download.ts';
import { columnsOf, type PanelName, type TableState } from './state.ts';

interface PanelProperties {
  name: PanelName;
  state: TableState;
  query?: Record<string, string>;
  anchor(): Element | null;
  onColumns(columns: string[]): void;
  onClose(): void;
}

/** The part of the tools that a button opens. */
export function Panel({ name, state, query, anchor, onColumns, onClose }: PanelProperties) {
  return (
    <Floating label={labels[name]} class="cell-editor" anchor={anchor} onClose={onClose}>
      <h2>{labels[name]}</h2>
      {name === 'columns' && <Columns state={state} onColumns={onColumns} />}
      {name === 'export' && <Export state={state} onDone={onClose} />}
      {name === 'copy' && <CopyAs path={addressOf(`/${state.table}`, query)} onDone={onClose} />}
    </Floating>
  );
}

const labels = { columns: 'Columns', export: 'Export', copy: 'Copy the request for this list' };

function Columns({ state, onColumns }: Pick<PanelProperties, 'state' | 'onColumns'>) {
  const columns = columnsOf(state);
  const all = state.table === 'trash' ? [] : tables[state.table].columns;
  const toggle = (column: string) => {
    if (!columns.includes(column)) return onColumns([...columns, column]);
    if (columns.length > 1) onColumns(columns.filter((each) => each !== column));
  };
  return (
    <ul class="column-list">
      {[...columns, ...all.filter((column) => !columns.includes(column))].map((column) => (
        <li key={column}>
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
