import type { ResourceName } from '../../../model/calendar.ts';
import { labels, tables } from '../../definitions.ts';

/** The resources, without the model's definitions of them, which would be half of the page. */
export const tableNames = Object.keys(labels) as ResourceName[];

/** The resources that have a trash. */
export const trashable = tableNames.filter((name) => labels[name].isPost);
export type TableName = ResourceName | 'trash';

/** The state of a table, as in its address. */
export interface TableState {
  table: TableName;
  /** Values by list parameter. */
  filters: Readonly<Record<string, string>>;
  sort?: { column: string; descending: boolean };
  /** The shown columns, if they were chosen. */
  columns?: readonly string[];
  /** IDs of the selected records. */
  selected: ReadonlySet<number>;
}

/** Parameters of the address that aren't filters. No list parameter has such a name. */
const own = ['table', 'sort', 'columns', 'selected'] as const;

/** Formats IDs as ranges: '1-4,7'. */
function formatIds(ids: Iterable<number>): string {
  const ranges: [number, number][] = [];
  for (const id of [...ids].sort((one, other) => one - other)) {
    const last = ranges.at(-1);
    if (last && last[1] === id - 1) last[1] = id;
    else ranges.push([id, id]);
  }
  return ranges.map(([from, to]) => (from === to ? from : `${from}-${to}`)).join(',');
}

/** Maximum number of selected IDs that are read from an address. */
const maxSelected = 100_000;

/** Parses ranges of IDs. Ignores anything else. */
function parseIds(text: string): Set<number> {
  const ids = new Set<number>();
  for (const [, from, to = from] of text.matchAll(/(\d+)(?:-(\d+))?/g))
    for (let id = Number(from); id <= Number(to) && ids.size < maxSelected; id += 1) ids.add(id);
  return ids;
}

/** Parses the address of a table. */
export function parseTable({ searchParams }: URL): TableState {
  const table = [...tableNames, 'trash' as const].find((name) => name === searchParams.get('table')) ?? 'events';
  const sort = searchParams.get('sort');
  const columns = searchParams.get('columns');
  return {
    table,
    filters: Object.fromEntries([...searchParams].filter(([name, value]) => value && !own.some((each) => each === name))),
    ...(sort && { sort: { column: sort.replace(/^-/, ''), descending: sort.startsWith('-') } }),
    ...(columns && { columns: columns.split(',') }),
    selected: parseIds(searchParams.get('selected') ?? ''),
  };
}

export function tableAddress({ table, filters, sort, columns, selected }: TableState): string {
  const parameters = new URLSearchParams({ ...(table !== 'events' && { table }), ...filters });
  if (sort) parameters.set('sort', `${sort.descending ? '-' : ''}${sort.column}`);
  if (columns) parameters.set('columns', columns.join(','));
  if (selected.size) parameters.set('selected', formatIds(selected));
  return `/_calendar/data${parameters.size ? `?${String(parameters).replaceAll('%2C', ',')}` : ''}`;
}

/** The query of a list: all records by default, those that the filters select otherwise. */
export function filterQuery(resource: ResourceName, filters: TableState['filters']): Record<string, string> {
  const { whole, dateNames } = tables[resource];
  const isReplaced = (name: string) => dateNames.includes(name) && dateNames.some((each) => filters[each] !== undefined);
  const defaults = Object.entries(whole).filter(([name]) => !isReplaced(name));
  return { ...Object.fromEntries(defaults), ...filters };
}

export const visibleColumns = ({ table, columns }: TableState): readonly string[] =>
  columns ?? (table === 'trash' ? ['id', 'resource', 'title', 'slug', 'modified'] : tables[table].summary);

/** The parts of the tools that buttons open. */
export type PanelName = 'columns' | 'export' | 'copy';
