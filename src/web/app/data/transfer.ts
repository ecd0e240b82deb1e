export { ImportPreview } from './import-preview.tsx';
export { Panel } from './panels.tsx';
