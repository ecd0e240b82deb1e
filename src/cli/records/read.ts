import type { Calendar, Entry, Page, Resource, WholeList } from '../../model/calendar.ts';
import { Failure } from '../../model/error.ts';
import type { Query } from '../../model/fields/list.ts';
import { hasDates } from '../../model/resources/relations.ts';
import { queryFrom } from '../options.ts';
import type { CommandAction, Session } from '../session.ts';
import { progressOf, silent } from '../terminal/progress.ts';
import { resolveQuery } from './arguments.ts';
import { forEach } from './batch.ts';
import { spanBounds } from './dates.ts';
import { withHint } from './hints.ts';
import { namesOf, withRecord } from './names.ts';
import { formatOf, printEntries } from './output.ts';
import { backward, listDirection, type SortKey, sorted } from './sorting.ts';

const maxPerPage = 50;

/** The part of a collection that lists records. */
type Lister = { list(query: Query): Promise<Page> } & Partial<WholeList>;

/** `list`: prints one page, or all pages with `--all` and `--limit`. */
export const list =
  (resource: Resource): CommandAction =>
  async (session, _args, options) => {
    const connection = await session.connect('read');
    const { calendar } = connection;
    const span = hasDates(resource.name) ? await spanBounds(options, connection) : {};
    const resolved = await resolveQuery(resource.list.parameters, listQuery(resource, options), connection);
    const query: Query = { ...resolved, ...span, ...uidsFor(options) };
    const collection = withHints(calendar, resource);
    if (formatOf(options) === 'count' && options.template === undefined) {
      await printEntries(session, options, resource, [], { total: await totalOf(collection, query) });
      return undefined;
    }
    const limit = (options.limit as number | undefined) ?? (options.all ? Number.POSITIVE_INFINITY : undefined);
    if (limit !== undefined && query.per_page === undefined) query.per_page = String(Math.min(limit, maxPerPage));
    const keys = sortKeysOf(resource, options);
    if (keys) return listSorted(session, options, resource, keys, collection, query, limit);
    const first = await collection.list(query);
    if (!first.entries.length && session.terminal.stdout.isTTY) await reportEmpty(session, resource, query);
    // On a terminal, the printed records show the progress.
    const progress = session.terminal.stdout.isTTY
      ? silent
      : progressOf(session.terminal, resource.name, Math.min(limit ?? 0, first.total));
    const entries = limit === undefined ? first.entries : pagesFrom(first, collection, query, limit, progress.update);
    try {
      await printEntries(session, options, resource, entries, { total: limit === undefined ? first.total : undefined });
    } finally {
      progress.end();
    }
    return undefined;
  };

/** Returns the keys to sort by; undefined if the API's order is the same. Past events are sorted latest first. */
function sortKeysOf(resource: Resource, { sort, past }: Record<string, unknown>): SortKey[] | undefined {
  const keys = (sort as SortKey[] | undefined) ?? (past ? [{ path: 'start_date', descending: true }] : undefined);
  return keys && listDirection(resource, keys) !== 'forward' ? keys : undefined;
}

/** Prints a page, or more, of a list in another order than the API's. Reads the whole list, unless that order is only reversed. */
async function listSorted(
  session: Session,
  options: Record<string, unknown>,
  resource: Resource,
  keys: readonly SortKey[],
  collection: Lister,
  query: Query,
  limit: number | undefined,
): Promise<undefined> {
  const first = await collection.list({ ...query, page: '1' });
  if (!first.entries.length && session.terminal.stdout.isTTY) await reportEmpty(session, resource, query);
  const size = limit ?? (Number(query.per_page) || (first.total_pages > 1 ? first.entries.length : maxPerPage));
  const start = (Number(query.page ?? 1) - 1) * size;
  const isReversed = listDirection(resource, keys) === 'backward' && first.total >= 0;
  const entries = isReversed
    ? backward(first, (page) => collection.list(page), query, Math.min(size, maxPerPage))
    : await sorted(await wholeList(collection, query), keys);
  await printEntries(session, options, resource, part(entries, start, size), { total: limit === undefined ? first.total : undefined });
  return undefined;
}

async function wholeList(collection: Lister, query: Query): Promise<Entry[]> {
  const whole = { ...query, page: '1', per_page: String(maxPerPage) };
  const entries: Entry[] = [];
  for await (const entry of pagesFrom(await collection.list(whole), collection, whole, Number.POSITIVE_INFINITY, () => {}))
    entries.push(entry);
  return entries;
}

async function* part(entries: Iterable<Entry> | AsyncIterable<Entry>, start: number, size: number): AsyncIterable<Entry> {
  let at = 0;
  for await (const entry of entries) {
    if (at >= start) yield entry;
    at += 1;
    if (at >= start + size) return;
  }
}

/** Returns the query of the options. Includes terms without events, unless `--hide-empty` is given. */
function listQuery({ list: { parameters } }: Resource, options: Record<string, unknown>): Query {
  const query = queryFrom(parameters, options);
  return parameters.some(({ name }) => name === 'hide_empty') ? { hide_empty: 'false', ...query } : query;
}

/** iCalendar needs UIDs, which records contain only on request. */
const uidsFor = (options: Record<string, unknown>): Query => (formatOf(options) === 'ics' ? { _uid: '1' } : {});

/** Prints to stderr that a list is empty, and the default dates of an events list. */
async function reportEmpty({ tell }: Session, { name }: Resource, query: Query): Promise<void> {
  const dated = name !== 'events' || Object.keys(query).some((each) => /date|^starts_|^ends_|^include$/.test(each));
  const more = dated ? '' : ' from yesterday to two years from now. Use --from and --to for other dates';
  await tell(`No matching ${name}${more}.`, true);
}

/** Returns the list action of a resource, with hints in its failures. */
const withHints = (calendar: Calendar, { name, list: { parameters } }: Resource): Lister => ({
  list: (query) =>
    calendar[name].list(query).catch((error) => {
      throw withHint(error, parameters, query);
    }),
  listAll: calendar[name].listAll,
});

/** Yields at most `limit` records: from one query of a file, or page by page from a server. Reads the list again if it changed in between. */
async function* pagesFrom(first: Page, collection: Lister, query: Query, limit: number, at: (done: number) => void): AsyncIterable<Entry> {
  let done = 0;
  if (collection.listAll) {
    for (const entry of collection.listAll(query)) {
      if (done >= limit) return;
      yield entry;
      at(++done);
    }
    return;
  }
  const { steadyPages } = await import('../../data/sync/pages.ts');
  let next: Page | undefined = first;
  const pages = steadyPages(
    async (number) => {
      const page = next ?? (await collection.list({ ...query, page: String(number) }));
      next = undefined;
      return page;
    },
    Number(query.page ?? 1),
  );
  for await (const { entries } of pages)
    for (const entry of entries) {
      if (done >= limit) return;
      yield entry;
      at(++done);
      if (done >= limit) return;
    }
}

/** Returns the number of matching records. Counts them if the server doesn't return a total. */
async function totalOf(collection: Lister, query: Query): Promise<number> {
  const { total } = await collection.list({ ...query, page: '1', per_page: '1' });
  if (total >= 0) return total;
  const whole = { ...query, page: '1', per_page: String(maxPerPage) };
  let count = 0;
  for await (const _ of pagesFrom(await collection.list(whole), collection, whole, Number.POSITIVE_INFINITY, () => {})) count++;
  return count;
}

/** `get`: prints records in the order of the arguments, or opens them in the browser with `--web`. */
export const get =
  (resource: Resource): CommandAction =>
  async (session, [args], options) => {
    const names = await namesOf(args as string[], session.terminal);
    const connection = await session.connect('read');
    const collection = connection.calendar[resource.name];
    const query = { ...(options.password === undefined ? {} : { password: options.password }), ...uidsFor(options) };
    const results = forEach(session, names, String, options, (name) =>
      withRecord(name, resource, collection, (ref) => collection.get(ref, query)),
    );
    if (options.web) {
      if (connection.kind === 'file')
        throw new Failure('bad-request', `No server is running for ${connection.place}`, {}, 'Start one with calendar serve.');
      for await (const { url } of results.entries()) await show(session, String(url));
    } else await printEntries(session, options, resource, results.entries(), { single: names.length === 1 });
    return results.exit;
  };

/** Opens the page of a record. The URL comes from a server, so only http and https URLs are passed to the browser. */
async function show(session: Session, url: string): Promise<void> {
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) throw new Failure('server-failure', `Invalid page URL ${JSON.stringify(url)}`);
  const { openInBrowser } = await import('../terminal/browser.ts');
  await session.tell(`Opening ${new URL(url).href}`);
  await openInBrowser(new URL(url).href, session.terminal.env).catch((error: Error) => {
    throw new Failure('not-found', error.message, {}, 'Set BROWSER.');
  });
}
