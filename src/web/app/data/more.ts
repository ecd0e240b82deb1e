/** The parts of the tables that are loaded when they are opened. */
export { EditCell } from './edit-cell.tsx';
export { FilterDialog } from './filter-dialog.tsx';
export { Panel } from './panels.tsx';
export { Selection } from './selection.tsx';
export { ImportPreview } from './transfer.tsx';
