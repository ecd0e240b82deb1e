/** The pages and forms of records, which are loaded when they are first shown. */
export { NewRecord } from '../forms/new.tsx';
export { RecordPage } from './page.tsx';
