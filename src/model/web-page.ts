import type { ControlReach } from './operations/control.ts';

/** What the page for people must know before it asks for anything. */
export interface PageContext {
  /** Where the routes of the API start: a path. */
  root: string;
  /** Where the calendar can be subscribed to: a path. */
  feed: string;
  /** What the calendar is called. */
  title: string;
  /** The calendar's own zone. */
  timezone: string;
  /** The server's clock, in epoch milliseconds. */
  now: number;
  /** Whether callers must say who they are to do more than visitors. */
  users: boolean;
  /** Who may ask for control of the calendar; null where the page cannot. */
  control: ControlReach | null;
}

/** Where the files of the page are. */
export const pageFolder = '/_calendar/assets';

/** Whether a path below that of control is one of the page: the workbench, the explorer, or a file of theirs. */
export const isPagePath = (path: string): boolean => /^\/_calendar(\/|\/api\/?|\/assets\/[^/]+)?$/.test(path);

/** The header with which the page marks what it reads to show it. */
export const pageHeader = 'x-calendar-page';

/** Whether a request is one that the page makes to show what is there: it looks on, so that nothing goes wrong with it and nobody counts it. What somebody does there is like all else. */
export const isPageRead = ({ method, headers }: { method: string; headers: Readonly<Record<string, string | undefined>> }): boolean =>
  headers[pageHeader] !== undefined && (method === 'GET' || method === 'HEAD');

/** A file of the page. Its name changes with its content, so it may be kept for ever. */
export interface PageFile {
  name: string;
  type: string;
  bytes: Uint8Array;
}

/** A page to look at a calendar with: one document for every address, and its files. */
export interface WebPage {
  files: readonly PageFile[];
  /** The document, which finds its files in `folder`. What the address shows is named before the calendar in its title. */
  document(context: PageContext, folder: string, name?: string): string;
}
