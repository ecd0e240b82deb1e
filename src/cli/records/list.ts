import { listWhole } from '../../data/record-names.ts';
import type { Calendar, Entry, Page, Resource } from '../../model/calendar.ts';
import { Failure } from '../../model/error.ts';
import { maxPerPage, type Query } from '../../model/fields/list.ts';
import type { Lister } from '../../model/paging.ts';
import { anyDateQuery, hasDefaultDates } from '../../model/resources/all.ts';
import { hasDates } from '../../model/resources/relations.ts';
import type { Connection } from '../connect/connect.ts';
import { queryFrom } from '../options.ts';
import { moreNote } from '../print/words.ts';
import type { CommandAction, Session } from '../session.ts';
import { progressOf, silent } from '../terminal/progress.ts';
import { resolveQuery } from './arguments.ts';
import { checkOutput, listDirection, type SortKey, sorted } from './check-output.ts';
import { spanBounds } from './dates.ts';
import { namesOf, withRecord } from './names.ts';
import { formatOf, printEntries, withHint } from './output.ts';
import { backward, countRecords, part, recordsFrom, wholeList } from './pages.ts';
import { forEach } from './targets.ts';

type Options = Record<string, unknown>;

/** The records to list. */
interface Listing {
  resource: Resource;
  collection: Lister;
  query: Query;
  first: Page;
  /** Maximum number of records; undefined for one page. */
  limit: number | undefined;
}

/** `list`: prints one page on a terminal and every record in a pipe, unless `--page`, `--limit` or `--all` is given. */
export const list =
  (resource: Resource): CommandAction =>
  async (session, _args, options) => {
    const connection = await session.connect('read');
    await checkOutput(options, resource, connection);
    const onYear = (text: string) => session.tell(text, true);
    const span = hasDates(resource.name) ? await spanBounds(options, connection, onYear) : {};
    const resolved = await resolveQuery(resource.list.parameters, listQuery(resource, options), connection, onYear);
    const query: Query = { ...resolved, ...span, ...uidsFor(options) };
    const limit = limitOf(session, options);
    const output = options.quiet ? { ...options, format: 'ids', template: undefined } : options;
    const isCount = formatOf(output) === 'count' && output.template === undefined;
    const collection = withHints(connection.calendar, resource);
    if (limit !== undefined && query.per_page === undefined) {
      // Without a limit, a file is read by one query; its first page is only for the total.
      const isWhole = collection.listAll !== undefined && limit === Number.POSITIVE_INFINITY;
      query.per_page = String(isWhole ? 1 : Math.min(limit, maxPerPage));
    }
    const reading = isCount ? { ...query, page: '1', per_page: '1' } : query;
    const { page: first, query: sent } = options.all
      ? await listWhole(reading, resource, collection)
      : { page: await collection.list(reading), query: reading };
    const listing: Listing = { resource, collection, query: sent, first, limit };
    const printed = isCount ? await printCount(session, output, listing) : await printRecords(session, output, listing);
    if (!options.quiet) await report(session, options, listing, connection, printed);
    return undefined;
  };

/** The maximum number of records to list; undefined for one page. */
function limitOf({ terminal: { stdout } }: Session, { limit, all, page }: Options): number | undefined {
  if (typeof limit === 'number') return limit;
  return all || (!stdout.isTTY && page === undefined) ? Number.POSITIVE_INFINITY : undefined;
}

async function printCount(session: Session, options: Options, { resource, collection, query, first }: Listing): Promise<number> {
  const total = await countRecords(collection, query, first);
  await printEntries(session, options, resource, [], { total });
  return total;
}

/** Prints the records of a list and returns their number. */
async function printRecords(session: Session, options: Options, listing: Listing): Promise<number> {
  const { resource, collection, query, first, limit } = listing;
  const keys = sortKeysOf(resource, options);
  // On a terminal, the printed records show the progress.
  const progress = session.terminal.stdout.isTTY ? silent : progressOf(session.terminal, resource.name, Math.min(limit ?? 0, first.total));
  const entries = keys
    ? await sortedRecords(listing, keys)
    : limit === undefined
      ? first.entries
      : recordsFrom(first, collection, query, limit, progress.update);
  let printed = 0;
  const counted = async function* (): AsyncIterable<Entry> {
    for await (const entry of entries) {
      printed++;
      yield entry;
    }
  };
  try {
    await printEntries(session, options, resource, counted(), { total: limit === undefined ? first.total : undefined });
  } finally {
    progress.end();
  }
  return printed;
}

/** The keys to sort by; undefined if the API's order is the same. Past events are sorted latest first. */
function sortKeysOf(resource: Resource, { sort, past }: Options): SortKey[] | undefined {
  const keys = (sort as SortKey[] | undefined) ?? (past ? [{ path: 'start_date', descending: true }] : undefined);
  return keys && listDirection(resource, keys) !== 'forward' ? keys : undefined;
}

/** The records of a list in another order than the API's. Reads the whole list, unless that order is only reversed. */
async function sortedRecords(
  { resource, collection, query, first, limit }: Listing,
  keys: readonly SortKey[],
): Promise<AsyncIterable<Entry>> {
  const size = limit ?? (Number(query.per_page) || (first.total_pages > 1 ? first.entries.length : maxPerPage));
  const start = query.page === undefined ? 0 : (Number(query.page) - 1) * size;
  const isReversed = listDirection(resource, keys) === 'backward' && first.total >= 0;
  const entries = isReversed
    ? backward(first, collection, query, Math.min(size, maxPerPage))
    : await sorted(await wholeList(collection, query), keys);
  return part(entries, start, size);
}

/** Includes terms without events, unless `--hide-empty` is given. */
function listQuery({ list: { parameters } }: Resource, options: Options): Query {
  const query = queryFrom(parameters, options);
  return parameters.some(({ name }) => name === 'hide_empty') ? { hide_empty: 'false', ...query } : query;
}

/** iCalendar needs UIDs, which records contain only on request. */
const uidsFor = (options: Options): Query => (formatOf(options) === 'ics' ? { _uid: '1' } : {});

const withHints = (calendar: Calendar, { name, list: { parameters } }: Resource): Lister => ({
  ...calendar[name],
  list: (query) =>
    calendar[name].list(query).catch((error) => {
      throw withHint(error, parameters, query ?? {});
    }),
});

/** Prints which matching records a list leaves out: those outside the default dates, or with `--all`, hidden ones. */
async function report(session: Session, options: Options, listing: Listing, connection: Connection, printed: number): Promise<void> {
  const { resource, query, first, collection, limit } = listing;
  const { name, kind } = resource;
  // A table has the note below its rows.
  const hasNote = formatOf(options) === 'table' && options.template === undefined;
  if (session.terminal.stdout.isTTY && limit === undefined && !hasNote && first.total > printed)
    await session.tell(moreNote(printed, first.total), true);
  if (options.all) {
    const hidden =
      typeof options.limit === 'number' && printed >= options.limit ? 0 : await connection.countHidden(name, query).catch(() => 0);
    if (hidden)
      await session.tell(
        `${hidden} hidden ${hidden === 1 ? `${kind} is` : `${name} are`} not listed. calendar export has ${hidden === 1 ? 'it' : 'them'}.`,
        true,
      );
    return;
  }
  const isCut = typeof options.limit === 'number' && first.total > options.limit;
  if (hasDefaultDates(resource, query) && first.total >= 0 && !isCut) {
    const { total } = await collection.list({ ...anyDateQuery(resource, query), page: '1', per_page: '1' });
    if (total > first.total) {
      const dates = datesIn(first.rest_url);
      const text = `${first.total} of ${total} ${name} ${first.total === 1 ? 'is' : 'are'} within the default dates${dates}. Pass --all for every ${kind}.`;
      return session.tell(text, true);
    }
  }
  if (!first.total && session.terminal.stdout.isTTY) await session.tell(`No matching ${name}.`, true);
}

/** Formats the dates in the address of a list, which the calendar adds by default. */
function datesIn(address: string): string {
  const query = URL.canParse(address) ? new URL(address).searchParams : new URLSearchParams();
  const [from, to] = ['start_date', 'end_date'].map((name) => query.get(name)?.slice(0, 10));
  return from && to ? ` (${from} to ${to})` : '';
}

/** `get`: prints records in the order of the arguments, or opens them in the browser with `--web`. */
export const get =
  (resource: Resource): CommandAction =>
  async (session, [args], options) => {
    const names = await namesOf(args as string[], session.terminal);
    const connection = await session.connect('read');
    await checkOutput(options, resource, connection);
    const collection = connection.calendar[resource.name];
    const query = { ...(options.password === undefined ? {} : { password: options.password }), ...uidsFor(options) };
    const results = forEach(session, names, String, options, (name) =>
      withRecord(name, resource, collection, (ref) => collection.get(ref, query)),
    );
    if (options.web) {
      if (connection.kind === 'file')
        throw new Failure('bad-request', `No server is running for ${connection.place}`, 'Start one with calendar serve.');
      for await (const { url } of results.entries()) await show(session, String(url));
    } else await printEntries(session, options, resource, results.entries(), { single: names.length === 1 });
    return results.exit;
  };

/** Opens the page of a record. The URL comes from a server, so only http and https URLs are passed to the browser. */
async function show(session: Session, url: string): Promise<void> {
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) throw new Failure('server-failure', `Invalid page URL ${JSON.stringify(url)}`);
  const { openInBrowser } = await import('../terminal/programs.ts');
  await session.tell(`Opening ${new URL(url).href}`);
  await openInBrowser(new URL(url).href, session.terminal.env).catch((error: Error) => {
    throw new Failure('not-found', error.message, 'Set BROWSER.');
  });
}
