import type { Query } from '../model/filter.ts';
import type { Calendar, Entry, Page, Resource } from '../model/resource.ts';
import { hinted } from './hints.ts';
import { queryFrom } from './options.ts';
import { formatOf, printEntries } from './output.ts';
import { progressOf, silent } from './progress.ts';
import { explained, namesOf, refOf } from './refs.ts';
import { severally } from './severally.ts';
import type { Session, Work } from './shell.ts';
import { paintFor } from './terminal.ts';

const mostPerPage = 50;

/** What lists. */
type Lister = { list(query: Query): Promise<Page> };

/** `list`: a page, or with `--all` and `--limit` as many as it takes, printed as they come. */
export const list =
  (resource: Resource): Work =>
  async (session, _args, options) => {
    const { calendar } = await session.connect('read');
    const query = queryFrom(resource.filters, options);
    const collection = asking(calendar, resource);
    if (formatOf(options) === 'count' && options.template === undefined) {
      await printEntries(session, options, resource, [], { total: await totalOf(collection, query) });
      return undefined;
    }
    const limit = options.all ? Number.POSITIVE_INFINITY : (options.limit as number | undefined);
    if (limit !== undefined && query.per_page === undefined) query.per_page = String(Math.min(limit, mostPerPage));
    const first = await collection.list(query);
    if (!first.entries.length && session.terminal.stdout.isTTY) await sayNothing(session, resource, query);
    // Where the records themselves scroll by, a line that says so would only be in the way.
    const progress = session.terminal.stdout.isTTY
      ? silent
      : progressOf(session.terminal, resource.name, Math.min(limit ?? 0, first.total));
    const entries = limit === undefined ? first.entries : pagesFrom(first, collection, query, limit, progress.at);
    try {
      await printEntries(session, options, resource, entries, { total: limit === undefined ? first.total : undefined });
    } finally {
      progress.end();
    }
    return undefined;
  };

/** Tells a person that a list is empty, and of the dates that an events list takes when none are given. */
async function sayNothing({ terminal, globals, tell }: Session, { name }: Resource, query: Query): Promise<void> {
  const paint = paintFor(terminal.stderr, terminal.env, globals.color);
  const dated = name !== 'events' || Object.keys(query).some((each) => /date|^starts_|^ends_|^include$/.test(each));
  const more = dated ? '' : ' from yesterday to two years from now; --start-date and --end-date look further';
  await tell(paint.dim(`no ${name} match${more}`));
}

/** A list of a calendar whose failures say what may have been meant. */
const asking = (calendar: Calendar, { name, filters }: Resource): Lister => ({
  list: (query) =>
    calendar[name].list(query).catch(async (error) => {
      throw await hinted(error, filters, query, calendar);
    }),
});

/** Records from a first page on, page after page, at most `limit`. */
async function* pagesFrom(first: Page, collection: Lister, query: Query, limit: number, at: (done: number) => void): AsyncIterable<Entry> {
  let page = first;
  let number = Number(query.page ?? 1);
  let done = 0;
  for (;;) {
    for (const entry of page.entries) {
      if (done >= limit) return;
      yield entry;
      at(++done);
    }
    if (done >= limit || !page.entries.length || number >= page.total_pages) return;
    page = await collection.list({ ...query, page: String(++number) });
  }
}

/** How many records match in all; counted one by one where a server does not say. */
async function totalOf(collection: Lister, query: Query): Promise<number> {
  const { total } = await collection.list({ ...query, page: '1', per_page: '1' });
  if (total >= 0) return total;
  const whole = { ...query, page: '1', per_page: String(mostPerPage) };
  let found = 0;
  for await (const _ of pagesFrom(await collection.list(whole), collection, whole, Number.POSITIVE_INFINITY, () => {})) found++;
  return found;
}

/** `get`: one record, or several in the order in which they are named. */
export const get =
  (resource: Resource): Work =>
  async (session, [args], options) => {
    const names = await namesOf(args as string[], session.terminal);
    const { calendar } = await session.connect('read');
    const collection = calendar[resource.name];
    const query = options.password === undefined ? {} : { password: options.password };
    const results = severally(session, names, String, options, async (name) => {
      try {
        return await collection.get(await refOf(name, resource, collection), query);
      } catch (error) {
        throw await explained(error, name, resource, collection);
      }
    });
    await printEntries(session, options, resource, results.entries(), { single: names.length === 1 });
    return results.exit;
  };
