import { useEffect, useMemo, useState } from 'preact/hooks';
import { navigate, rememberTableAddress } from '../address.ts';
import { countText } from '../format.ts';
import { newAddressOf } from '../forms/address.ts';
import { useLoaded } from '../loading.ts';
import { Button, Main, Notice, usePageTitle } from '../parts/controls.tsx';
import { toast } from '../parts/toast.tsx';
import { accessReason, useAccess } from '../workbench/gate.tsx';
import type { EditedCell } from './edit-cell.tsx';
import { EditCell } from './edit-cell.tsx';
import { Filters } from './filters.tsx';
import { ImportPreview } from './import-preview.tsx';
import { loadTable, sortRows } from './records.ts';
import { Selection } from './selection.tsx';
import { parseTable, type TableState, tableAddress, tableNames, visibleColumns } from './state.ts';
import { Table } from './table.tsx';
import { Search, Tools } from './tools.tsx';
import './data.css';

const hasFiles = ({ dataTransfer }: DragEvent) => dataTransfer?.types.includes('Files') === true;

/** Tables of the records of all resources, and of the trash. The address contains everything they show. */
export function DataPage({ address: { search } }: { address: URL }) {
  const state = useMemo(() => parseTable(new URL(search, location.href)), [search]);
  const { table, filters, sort, selected } = state;
  const columns = visibleColumns(state);
  const key = `table ${JSON.stringify([table, filters, columns])}`;
  const { value, error, loading } = useLoaded(key, (signal) => loadTable(state, signal));
  const [edited, setEdited] = useState<EditedCell>();
  const [file, setFile] = useState<File>();
  usePageTitle(`${table} – Data`);
  const canImport = useAccess().canEdit !== false;
  const ownAddress = tableAddress(state);
  useEffect(() => rememberTableAddress(ownAddress), [ownAddress]);
  const rows = sortRows(value?.rows ?? [], state);
  const show = (changes: Partial<TableState>, replace = true) => navigate(tableAddress({ ...state, ...changes }), { replace });
  const sortBy = (column: string) =>
    show({ sort: sort?.column !== column ? { column, descending: false } : sort.descending ? undefined : { column, descending: true } });
  return (
    <Main
      class="full-view"
      onDragOver={(event) => hasFiles(event) && event.preventDefault()}
      onDrop={(event) => {
        if (!hasFiles(event)) return;
        event.preventDefault();
        if (canImport) setFile(event.dataTransfer!.files[0]);
        else toast(accessReason());
      }}
    >
      <header class="data-head buttons">
        <h1>Data</h1>
        <nav class="data-tabs scrolling-row" aria-label="Tables">
          {[...tableNames, 'trash' as const].map((name) => (
            <a
              key={name}
              class="data-tab"
              href={tableAddress({ table: name, filters: {}, selected: new Set() })}
              aria-current={name === table ? 'page' : undefined}
            >
              {name}
            </a>
          ))}
        </nav>
        <Tools
          state={state}
          query={value?.query}
          canCreate={value?.canCreate}
          onFile={setFile}
          onColumns={(columns) => show({ columns })}
        />
      </header>
      {table !== 'trash' && (
        <div class="data-bar buttons scrolling-row screen-only">
          <Search text={filters.search ?? ''} onSearch={(search) => show({ filters: withSearch(filters, search) })} />
          <Filters resource={table} filters={filters} onChange={(changed) => show({ filters: changed, selected: new Set() }, false)} />
        </div>
      )}
      {selected.size > 0 && value && <Selection rows={rows} state={state} onSelect={(ids) => show({ selected: ids })} />}
      {error && !value && <Notice title={`Couldn’t load ${table}`}>{error.message}</Notice>}
      {value && rows.length > 0 && (
        <Table
          label={table}
          rows={rows}
          columns={columns}
          sort={sort}
          selected={selected}
          onSort={sortBy}
          onSelect={(ids) => show({ selected: ids })}
          onEdit={(row, column, cell) => setEdited({ row, column, cell })}
        />
      )}
      {value && !rows.length && (
        <Empty table={table} isFiltered={Object.keys(filters).length > 0} canCreate={value.canCreate} canImport={canImport} />
      )}
      <p class="data-foot" role="status" aria-busy={loading && !value}>
        {value && `${countText(rows.length)} ${rows.length === 1 ? 'record' : 'records'}`}
      </p>
      {edited && <EditCell {...edited} onClose={() => setEdited(undefined)} />}
      {file && <ImportPreview file={file} table={table} onClose={() => setFile(undefined)} />}
    </Main>
  );
}

function withSearch({ search: _, ...filters }: TableState['filters'], search: string): TableState['filters'] {
  return search ? { ...filters, search } : filters;
}

interface EmptyProperties {
  table: TableState['table'];
  isFiltered: boolean;
  canCreate: boolean;
  canImport: boolean;
}

function Empty({ table, isFiltered, canCreate, canImport }: EmptyProperties) {
  if (table === 'trash') return <Notice title="The trash is empty" quiet />;
  const create = newAddressOf(table);
  return (
    <Notice title={isFiltered ? `No matching ${table}` : `No ${table}`} quiet>
      {isFiltered ? (
        <Button label="Clear filters" href={tableAddress({ table, filters: {}, selected: new Set() })} />
      ) : (
        <>
          {canImport && <p>Drop a JSON, NDJSON, CSV or iCalendar file here to import records.</p>}
          {canCreate && create && <Button label="New" look="main" href={create} />}
        </>
      )}
    </Notice>
  );
}
