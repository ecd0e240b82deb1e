import type { ResourceName } from '../../../model/calendar.ts';
import { nameMembers, pageRecordsPath, type TableRecords } from '../../../model/web-page.ts';
import { labels } from '../../definitions.ts';
import { context } from '../context.ts';
import { textOfHtml } from '../parts/html.tsx';
import type { Post } from '../record.ts';
import { fetchJson, toQueryString } from '../server/api.ts';
import { authorization } from '../server/session.ts';
import { filterQuery, type TableState, trashable, visibleColumns } from './state.ts';

/** A record in a table. */
export interface DataRow {
  id: number;
  resource: ResourceName;
  record: Post;
  /** Text by column. */
  texts: Record<string, string>;
  /** True if the user may not edit it. */
  isLocked: boolean;
  /** True if lists of the API leave it out. */
  isHidden: boolean;
}

interface TableData {
  rows: DataRow[];
  canCreate: boolean;
  /** The query of the list, with its default parameters. */
  query: Record<string, string>;
}

/** Formats a value of a record as one line. Linked records are shown by name. */
function cellText(value: unknown): string {
  if (value === null || value === undefined || value === false) return '';
  if (value === true) return 'yes';
  if (Array.isArray(value)) return value.map(cellText).filter(Boolean).join(', ');
  if (typeof value === 'object') {
    const linked = value as Record<string, unknown>;
    const name = nameMembers.find((each) => typeof linked[each] === 'string');
    return name ? textOfHtml(linked[name]) : String(linked.url ?? linked.id ?? '');
  }
  return textOfHtml(value).replace(/\s+/g, ' ').trim();
}

/** The members to load for some columns. */
const membersOf = (resource: ResourceName, columns: readonly string[]): string =>
  [...new Set(['id', 'url', 'slug', 'status', labels[resource].label, ...columns])].join(',');

async function loadList(resource: ResourceName, columns: readonly string[], query: Record<string, string>, signal: AbortSignal) {
  const address = `${pageRecordsPath}/${resource}${toQueryString({ ...query, members: membersOf(resource, columns) })}`;
  const { value } = await fetchJson<TableRecords>('GET', address, { signal, authorization: authorization() });
  const { label } = labels[resource];
  const hidden = new Set(value.hidden);
  const locked = new Set(value.locked === true ? [] : value.locked);
  const rows = value.records.map((record): DataRow => {
    const row: Record<string, unknown> = { ...record, resource, title: record[label] };
    return {
      id: Number(record.id),
      resource,
      record: record as Post,
      texts: Object.fromEntries([...new Set([...columns, label])].map((column) => [column, cellText(row[column])])),
      isLocked: value.locked === true || locked.has(Number(record.id)),
      isHidden: hidden.has(Number(record.id)),
    };
  });
  return { rows, canCreate: value.canCreate, query };
}

/** Loads the rows of a table. */
export async function loadTable(state: TableState, signal: AbortSignal): Promise<TableData> {
  const { table, filters } = state;
  const columns = visibleColumns(state);
  if (table === 'trash') {
    const lists = await Promise.all(
      trashable.map((resource) => loadList(resource, columns, { ...filterQuery(resource, {}), status: 'trash' }, signal)),
    );
    return { rows: lists.flatMap(({ rows }) => rows), canCreate: false, query: {} };
  }
  const data = await loadList(table, columns, filterQuery(table, filters), signal);
  if (data.canCreate || filters.status !== undefined) return data;
  // The API refuses other statuses than the default to those who may not create records.
  const { status: _, ...query } = data.query;
  return { ...data, query };
}

const { compare } = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

/** Sorts rows by a column: numbers by value, also within texts; empty values last. */
export function sortRows(rows: readonly DataRow[], { sort }: TableState): readonly DataRow[] {
  if (!sort) return rows;
  const { column, descending } = sort;
  return [...rows].sort((one, other) => {
    const [a = '', b = ''] = [one.texts[column], other.texts[column]];
    if ((a === '') !== (b === '')) return a === '' ? 1 : -1;
    return compare(a, b) * (descending ? -1 : 1);
  });
}

/** Why the user can't edit a record, or create one: `lockReason('create events', 'creating events')`. */
export const lockReason = (verb = 'edit records', gerund = 'editing this record'): string =>
  context.users ? (authorization() ? `Your role doesn’t allow ${gerund}.` : `Sign in to ${verb}.`) : 'This server is read-only.';
