import type { ControlReach } from './addresses.ts';
import type { Resources } from './resources/declared.ts';
import type { SiteSlugs } from './site-address.ts';
import type { EventLine } from './time/typed/event-line.ts';

/** Data that the web page needs before its first request. */
export interface PageContext {
  /** Path of the API root. */
  root: string;
  /** Path of the iCalendar feed. */
  feed: string;
  /** Start of the path that selects the page and the world, like `/_worlds/ID`, which `root` and `feed` contain; empty without one. */
  prefix: string;
  /** The folder of the site, like `/blog`, in which its pages and the API are; empty without one. */
  folder: string;
  /** Address of the view with the events of the list that was requested; null for other documents. */
  view: string | null;
  /** The record whose page was requested; null for other documents. */
  record: { kind: string; id: number } | null;
  /** The words of addresses of pages. */
  slugs: SiteSlugs;
  /** ID of the world; null for the calendar of the server. */
  world: string | null;
  /** Name of the world; null for the calendar of the server. */
  worldName: string | null;
  /** Title of the calendar. */
  title: string;
  /** Time zone of the calendar. */
  timezone: string;
  /** Time of the server's clock, in epoch milliseconds. */
  now: number;
  /** True if the calendar has users, so that visitors may only read. */
  users: boolean;
  /** Path that images are uploaded to; null if the server takes none. */
  uploads: string | null;
  /** Callers that may use the control API; null if the page cannot. */
  control: ControlReach | null;
  /** Host of the site that the calendar is a copy of; null for other calendars. */
  copyOf: string | null;
  /** Absent on a server. */
  ownCopy?: OwnCopy;
  /** Definitions that replace those in the compiled page, if the calendar declares fields. */
  definitions?: Record<string, unknown>;
}

/** The foot of the page on a static site, where each browser has its own calendar. */
export interface OwnCopy {
  /** Where changes are, and what became of them when the site was published again. */
  text: string;
  /** Buttons with the methods for {@link ownCopyPath}. */
  actions: [label: string, method: 'DELETE' | 'POST'][];
}

/** Path of the calendar of a static site in this browser: DELETE resets it to that of the site, and POST confirms what the foot says. */
export const ownCopyPath = '/_calendar/page/copy';

/** The folder of the files of a static site that only its worker asks for. */
export const siteFilesFolder = 'calendar-files';

/** Marks the first page of a static site, which waits for its worker. */
export const siteMark = '<meta name="generator" content="calendar build">';

/** Path of the page's assets. */
export const pageFolder = '/_calendar/assets';

/** Path of the compact event list of the page. */
export const pageEventsPath = '/_calendar/page/events';

/** Path of the tables of the page, followed by the name of a resource; and by an ID, of a record as forms edit it. */
export const pageRecordsPath = '/_calendar/page/records';

/** Path of changes of many records: POST with {@link ChangesInput}. */
export const pageChangesPath = '/_calendar/page/changes';

/** Path of the reader of dates and events in words, which are in `text`. */
export const pageTextPath = '/_calendar/page/text';

/** Path below which a server also has the page, for apps that have other pages at the same addresses. */
export const pagePath = '/_calendar/page';

/** The start of a path that is below that of the page; empty for other paths. */
export const pagePrefixOf = (path: string): string =>
  path.startsWith(pagePath) && /^(\/(?!events$|text$|changes$|records\/\w+(\/\d+)?$)|$)/.test(path.slice(pagePath.length)) ? pagePath : '';

/** Paths of the tools of the page, besides `/_calendar` itself. */
export const toolPaths = ['/_calendar/data', '/_calendar/traffic', '/_calendar/api'] as const;

export const isToolPath = (path: string): boolean => /^\/_calendar(\/|\/(data|traffic|api)\/?)?$/.test(path);

/** True if a path below that of the control API belongs to the page: its tools, an asset, or one of its lists. */
export const isPagePath = (path: string): boolean =>
  isToolPath(path) || /^\/_calendar\/(assets\/[^/]+|page\/(events|text|changes|records\/\w+(\/\d+)?))$/.test(path);

/** True for a path below which the page has its files and lists, which no person opens. */
export const isPageData = (path: string): boolean => /^\/_calendar\/(assets|page)(\/|$)/.test(path);

/** A venue of a compact list. */
export interface CompactVenue {
  id: number;
  venue: string;
  city?: string;
}

/** An event with the members that the views of a calendar show. Times as in the API. */
export interface CompactEvent {
  id: number;
  title: string;
  status: string;
  /** Path of its page. */
  path: string;
  start_date: string;
  end_date: string;
  utc_start_date: string;
  utc_end_date: string;
  timezone: string;
  all_day?: true;
  featured?: true;
  cost?: string;
  /** IDs. */
  categories?: number[];
  /** IDs. */
  venues?: number[];
}

/** The response of {@link pageEventsPath}. */
export interface CompactEvents {
  events: CompactEvent[];
  /** The venues of these events. */
  venues: CompactVenue[];
  /** True if the caller may create events. */
  canCreate: boolean;
}

/** The name of a linked record, as a table shows it: the first of these members. */
export const nameMembers: readonly string[] = ['title', 'venue', 'organizer', 'name'];
/** The members of linked records in {@link TableRecords}. */
export const linkedMembers: readonly string[] = ['id', 'url', ...nameMembers];

/** The response of {@link pageRecordsPath}: every record of a list, with the members in `members`, and those that lists leave out if the caller may edit them. */
export interface TableRecords {
  records: Record<string, unknown>[];
  /** IDs of the records that lists leave out. */
  hidden: number[];
  /** True if the caller may create records. */
  canCreate: boolean;
  /** IDs of the records that the caller may not edit; true if they may edit none. */
  locked: number[] | true;
}

/** The response of {@link pageTextPath}: the text as an event, and as a date or a duration from now, which is undefined for other text. */
export interface TypedText {
  event: EventLine;
  date?: { wall: string; instant: number };
}

/** Header that marks requests of the page and calls of the TypeScript API. They are not those of a client under test. */
export const pageHeader = 'x-calendar-page';

/** A read of the page, a call of the TypeScript API, or what a person sends with a form of the page. */
export type Caller = 'page' | 'api' | 'form';
/** A caller whose calls are not requests. */
export type OwnCaller = Exclude<Caller, 'form'>;

/** True if a User-Agent is that of the command line of this program. */
export const isProgram = (userAgent: string | undefined): boolean => userAgent?.startsWith('local-calendar/') ?? false;

/** The value of {@link pageHeader}. Servers that require the control token honor it only with the token. */
export const pageMark = (caller: Caller, token?: string): string => (token === undefined ? caller : `${caller} ${token}`);

/** A file of the page. Its name contains a hash of its content, so it can be cached forever. */
export interface PageFile {
  name: string;
  type: string;
  bytes: Uint8Array;
}

/** The parts of a document that are readable without JavaScript. */
export interface DocumentParts {
  /** Plain text that precedes the calendar's title. */
  title?: string;
  /** Address of the view that shows the same. */
  view?: string;
  /** The record that it is the page of. */
  record?: PageContext['record'];
  /** HTML of its head and body. */
  head?: string;
  body?: string;
}

/** The web page: one document for every URL, and its files. */
export interface WebPage {
  files: readonly PageFile[];
  /** The document, which loads its files from `folder`. */
  document(context: PageContext, folder: string, parts: DocumentParts): string;
  definitions(resources: Resources): Record<string, unknown>;
}
