import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { labels } from '../../definitions.ts';
import { lengthOf, useMeasured, usePrinting } from '../measure.ts';
import { permalinkPath } from '../record.ts';
import type { DataRow } from './records.ts';
import type { TableState } from './state.ts';
import './table.css';

interface Properties {
  label: string;
  rows: readonly DataRow[];
  columns: readonly string[];
  sort: TableState['sort'];
  selected: ReadonlySet<number>;
  onSort(column: string): void;
  onSelect(ids: ReadonlySet<number>): void;
  /** Called to edit a cell. */
  onEdit(row: DataRow, column: string, cell: HTMLElement): void;
}

/** Rows drawn above and below the visible ones. */
const overscan = 8;

/** A table that draws only the visible rows. Arrow keys move between cells, Enter edits, Space selects. */
export function Table(properties: Properties) {
  const { label, rows, columns, sort, selected, onSort, onSelect } = properties;
  const scroller = useRef<HTMLDivElement>(null);
  const [top, setTop] = useState(0);
  const { height, rowHeight } = useMeasured(
    scroller,
    (element) => ({ height: element.clientHeight, rowHeight: lengthOf(element, '--row') }),
    { height: 0, rowHeight: 1 },
    [],
  );
  // Paper has every row.
  const isPrinting = usePrinting();
  const first = isPrinting ? 0 : Math.max(0, Math.floor(top / rowHeight) - overscan);
  const last = isPrinting ? rows.length : Math.min(rows.length, Math.ceil((top + height) / rowHeight) + overscan);
  const { active, onKeyDown, onFocus } = useActiveCell(properties, scroller, Math.max(1, Math.floor(height / rowHeight) - 2));
  const isAllSelected = rows.length > 0 && rows.every(({ id }) => selected.has(id));
  return (
    <div
      class="table box"
      ref={scroller}
      onScroll={({ currentTarget }) => setTop(currentTarget.scrollTop)}
      style={{ '--columns': columns.length }}
    >
      {/* biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a table with cells to move between is a grid. */}
      <table role="grid" aria-label={label} aria-rowcount={rows.length + 1} aria-multiselectable onKeyDown={onKeyDown} onFocusIn={onFocus}>
        <thead>
          <tr>
            <th scope="col" class="table-check">
              <label>
                <input
                  type="checkbox"
                  aria-label="Select all"
                  checked={isAllSelected}
                  onChange={() => onSelect(new Set(isAllSelected ? [] : rows.map(({ id }) => id)))}
                />
              </label>
            </th>
            {columns.map((column) => (
              <th
                key={column}
                scope="col"
                class={column === 'id' ? 'table-id' : undefined}
                aria-sort={sort?.column === column ? (sort.descending ? 'descending' : 'ascending') : undefined}
              >
                <button type="button" class="table-sort cut" onClick={() => onSort(column)}>
                  {column}
                  {sort?.column === column && <span aria-hidden="true">{sort.descending ? ' ↓' : ' ↑'}</span>}
                </button>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          <Spacer height={first * rowHeight} />
          {rows.slice(first, last).map((row, index) => (
            <TableRow key={`${row.resource} ${row.id}`} {...properties} row={row} index={first + index} active={active} />
          ))}
          <Spacer height={(rows.length - last) * rowHeight} />
        </tbody>
      </table>
    </div>
  );
}

/** Takes the place of rows that aren't drawn. */
const Spacer = ({ height }: { height: number }) =>
  height > 0 ? (
    <tr class="table-spacer" style={{ height: `${height}px` }}>
      <td />
    </tr>
  ) : null;

/** A cell by its row and column; column 0 has the checkboxes. */
interface Position {
  row: number;
  column: number;
}

const steps: Record<string, [rows: number, columns: number]> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
};

/** Handles the keys of the grid, and remembers its only cell that Tab reaches. */
function useActiveCell(
  { rows, columns, selected, onSelect, onEdit }: Properties,
  scroller: { current: HTMLElement | null },
  pageRows: number,
) {
  const [active, setActive] = useState<Position>({ row: 0, column: 0 });
  const mustFocus = useRef(false);
  const cellOf = ({ row, column }: Position) => scroller.current?.querySelector<HTMLElement>(`[data-cell="${row} ${column}"]`);
  const move = (row: number, column: number) => {
    mustFocus.current = true;
    setActive({ row: Math.max(0, Math.min(rows.length - 1, row)), column: Math.max(0, Math.min(columns.length, column)) });
  };
  useEffect(() => {
    if (active.row >= rows.length && rows.length) setActive({ row: rows.length - 1, column: active.column });
  }, [active, rows.length]);
  useLayoutEffect(() => {
    const { current } = scroller;
    if (!mustFocus.current || !current) return;
    const rowHeight = lengthOf(current, '--row');
    const [from, to] = [active.row * rowHeight, (active.row + 2) * rowHeight];
    if (from < current.scrollTop) current.scrollTop = from;
    if (to > current.scrollTop + current.clientHeight) current.scrollTop = to - current.clientHeight;
    const cell = cellOf(active);
    if (!cell) return;
    mustFocus.current = false;
    cell.focus({ preventScroll: true });
    cell.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  });
  const onKeyDown = (event: KeyboardEvent) => {
    const cell = (event.target as Element).closest<HTMLElement>('[data-cell]');
    const row = rows[active.row];
    if (!cell || !row) return;
    const step = steps[event.key];
    const isModified = event.ctrlKey || event.metaKey;
    if (step) move(active.row + step[0], active.column + step[1]);
    else if (event.key === 'PageDown' || event.key === 'PageUp')
      move(active.row + (event.key === 'PageDown' ? pageRows : -pageRows), active.column);
    else if (event.key === 'Home') move(isModified ? 0 : active.row, 0);
    else if (event.key === 'End') move(isModified ? rows.length - 1 : active.row, columns.length);
    else if (event.key === ' ') onSelect(toggled(selected, row.id));
    else if (event.key === 'a' && isModified) onSelect(new Set(rows.map(({ id }) => id)));
    else if ((event.key === 'Enter' || event.key === 'F2') && active.column > 0) onEdit(row, columns[active.column - 1]!, cell);
    else return;
    event.preventDefault();
  };
  const onFocus = ({ target }: FocusEvent) => {
    const cell = (target as Element).closest<HTMLElement>('[data-cell]');
    const [row = 0, column = 0] = (cell?.dataset.cell ?? '').split(' ').map(Number);
    if (cell && (row !== active.row || column !== active.column)) setActive({ row, column });
  };
  return { active, onKeyDown, onFocus };
}

/** A set with an ID added or removed. */
function toggled(ids: ReadonlySet<number>, id: number): Set<number> {
  const changedIds = new Set(ids);
  if (!changedIds.delete(id)) changedIds.add(id);
  return changedIds;
}

function TableRow({
  row,
  index,
  active,
  columns,
  selected,
  onSelect,
  onEdit,
}: Properties & { row: DataRow; index: number; active: Position }) {
  const isSelected = selected.has(row.id);
  const cell = (column: number) => ({
    role: 'gridcell' as const,
    'data-cell': `${index} ${column}`,
    tabIndex: active.row === index && active.column === column ? 0 : -1,
  });
  const name = row.texts.title || row.texts[columns[1] ?? ''] || String(row.id);
  return (
    <tr class="table-row" aria-rowindex={index + 2} aria-selected={isSelected}>
      <td class="table-check" {...cell(0)}>
        <label>
          <input
            type="checkbox"
            tabIndex={-1}
            aria-label={`Select ${name}`}
            checked={isSelected}
            onChange={() => onSelect(toggled(selected, row.id))}
          />
        </label>
      </td>
      {columns.map((column, at) => (
        <td key={column} {...cell(at + 1)} onDblClick={({ currentTarget }) => onEdit(row, column, currentTarget)}>
          <CellText row={row} column={column} />
        </td>
      ))}
    </tr>
  );
}

/** The text of a cell. The ID links to the page of the record. */
function CellText({ row: { record, resource, texts, isHidden }, column }: { row: DataRow; column: string }): ComponentChildren {
  const text = texts[column] ?? '';
  if (column === 'id' && record.url)
    return (
      <a href={permalinkPath(record)} tabIndex={-1}>
        {text}
      </a>
    );
  if (!isHidden || column !== labels[resource].label) return <bdi title={text}>{text}</bdi>;
  return (
    <>
      <bdi title={text}>{text}</bdi>{' '}
      <small class="badge" title="Lists of the API leave it out">
        Hidden
      </small>
    </>
  );
}
