import type { Calendar, Entry, Page, Resource, WholeList } from '../../model/calendar.ts';
import { Failure } from '../../model/error.ts';
import type { Query } from '../../model/fields/list.ts';
import { hasDates } from '../../model/resources/relations.ts';
import { queryFrom } from '../options.ts';
import type { CommandAction, Session } from '../session.ts';
import { progressOf, silent } from '../terminal/progress.ts';
import { forEach } from './batch.ts';
import { spanBounds } from './dates.ts';
import { withHint } from './hints.ts';
import { meantQuery } from './meaning.ts';
import { namesOf, withNamed } from './names.ts';
import { formatOf, printEntries } from './output.ts';
import { backward, ownDirection, type SortKey, sorted } from './sorting.ts';

const maxPerPage = 50;

/** The list action of a collection. */
type Lister = { list(query: Query): Promise<Page> } & Partial<WholeList>;

/** `list`: one page, or with `--all` and `--limit` several, printed as they come. */
export const list =
  (resource: Resource): CommandAction =>
  async (session, _args, options) => {
    const connection = await session.connect('read');
    const { calendar } = connection;
    const span = hasDates(resource.name) ? await spanBounds(options, connection) : {};
    const meant = await meantQuery(resource.list.parameters, listQuery(resource, options), connection);
    const query: Query = { ...meant, ...span, ...uidsFor(options) };
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
    if (!first.entries.length && session.terminal.stdout.isTTY) await tellEmpty(session, resource, query);
    // On a terminal the printed records are progress enough.
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

/** The keys to sort by; undefined where the list has that order by itself. What is over comes with the latest first. */
function sortKeysOf(resource: Resource, { sort, past }: Record<string, unknown>): SortKey[] | undefined {
  const keys = (sort as SortKey[] | undefined) ?? (past ? [{ path: 'start_date', descending: true }] : undefined);
  return keys && ownDirection(resource, keys) !== 'forward' ? keys : undefined;
}

/** A page, or more, of all that match in an order of our own. Only the list that is turned round is not read whole. */
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
  if (!first.entries.length && session.terminal.stdout.isTTY) await tellEmpty(session, resource, query);
  const size = limit ?? (Number(query.per_page) || (first.total_pages > 1 ? first.entries.length : maxPerPage));
  const start = (Number(query.page ?? 1) - 1) * size;
  const isTurned = ownDirection(resource, keys) === 'backward' && first.total >= 0;
  const entries = isTurned
    ? backward(first, (page) => collection.list(page), query, Math.min(size, maxPerPage))
    : await sorted(await wholeList(collection, query), keys);
  await printEntries(session, options, resource, part(entries, start, size), { total: limit === undefined ? first.total : undefined });
  return undefined;
}

async function wholeList(collection: Lister, query: Query): Promise<Entry[]> {
  const whole = { ...query, page: '1', per_page: String(maxPerPage) };
  const found: Entry[] = [];
  for await (const entry of pagesFrom(await collection.list(whole), collection, whole, Number.POSITIVE_INFINITY, () => {}))
    found.push(entry);
  return found;
}

async function* part(entries: Iterable<Entry> | AsyncIterable<Entry>, start: number, size: number): AsyncIterable<Entry> {
  let at = 0;
  for await (const entry of entries) {
    if (at >= start) yield entry;
    at += 1;
    if (at >= start + size) return;
  }
}

/** The query that the options give. Terms without events are listed too unless `--hide-empty` says otherwise. */
function listQuery({ list: { parameters } }: Resource, options: Record<string, unknown>): Query {
  const query = queryFrom(parameters, options);
  return parameters.some(({ name }) => name === 'hide_empty') ? { hide_empty: 'false', ...query } : query;
}

/** An iCalendar file names events as every other export does; records hold that name only where it is asked for. */
const uidsFor = (options: Record<string, unknown>): Query => (formatOf(options) === 'ics' ? { _uid: '1' } : {});

/** Says on stderr that a list is empty, and which dates an events list defaults to. */
async function tellEmpty({ tell }: Session, { name }: Resource, query: Query): Promise<void> {
  const dated = name !== 'events' || Object.keys(query).some((each) => /date|^starts_|^ends_|^include$/.test(each));
  const more = dated ? '' : ' from yesterday to two years from now; --from and --to look further';
  await tell(`no ${name} match${more}`, true);
}

/** The list action of a resource, with hints in its failures. */
const withHints = (calendar: Calendar, { name, list: { parameters } }: Resource): Lister => ({
  list: (query) =>
    calendar[name].list(query).catch((error) => {
      throw withHint(error, parameters, query);
    }),
  listAll: calendar[name].listAll,
});

/** Yields at most `limit` records: of a file from one query, of a server page by page. A list that changes meanwhile is read again for those that were missed. */
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
  let given: Page | undefined = first;
  const pages = steadyPages(
    async (number) => {
      const page = given ?? (await collection.list({ ...query, page: String(number) }));
      given = undefined;
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

/** How many records match; counted one by one where a server does not say. */
async function totalOf(collection: Lister, query: Query): Promise<number> {
  const { total } = await collection.list({ ...query, page: '1', per_page: '1' });
  if (total >= 0) return total;
  const whole = { ...query, page: '1', per_page: String(maxPerPage) };
  let found = 0;
  for await (const _ of pagesFrom(await collection.list(whole), collection, whole, Number.POSITIVE_INFINITY, () => {})) found++;
  return found;
}

/** `get`: one record, or several in the order in which they are named; with `--web` in the browser. */
export const get =
  (resource: Resource): CommandAction =>
  async (session, [args], options) => {
    const names = await namesOf(args as string[], session.terminal);
    const connection = await session.connect('read');
    const collection = connection.calendar[resource.name];
    const query = { ...(options.password === undefined ? {} : { password: options.password }), ...uidsFor(options) };
    const results = forEach(session, names, String, options, (name) =>
      withNamed(name, resource, collection, (ref) => collection.get(ref, query)),
    );
    if (options.web) {
      if (connection.kind === 'file')
        throw new Failure('bad-request', `no server shows ${connection.place}`, {}, 'Start one with calendar serve.');
      for await (const { url } of results.entries()) await show(session, String(url));
    } else await printEntries(session, options, resource, results.entries(), { single: names.length === 1 });
    return results.exit;
  };

/** Opens the page of a record. What a server calls an address must be one of the web before a program gets it. */
async function show(session: Session, url: string): Promise<void> {
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url))
    throw new Failure('server-failure', `not the address of a page: ${JSON.stringify(url)}`);
  const { openInBrowser } = await import('../terminal/browser.ts');
  await session.tell(`opening ${new URL(url).href}`);
  await openInBrowser(new URL(url).href, session.terminal.env).catch((error: Error) => {
    throw new Failure('not-found', error.message, {}, 'Name one in BROWSER.');
  });
}
