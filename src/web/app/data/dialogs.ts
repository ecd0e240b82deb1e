export { FilterDialog } from './filter-dialog.tsx';
export { Selection } from './selection.tsx';
