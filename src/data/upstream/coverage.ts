import type { Resource, ResourceName } from '../../model/calendar.ts';
import type { RequestContext } from '../../model/context.ts';
import type { Condition } from '../../model/fields/list.ts';
import { listQueryOf, type Query } from '../../model/fields/list.ts';
import { statuses as allStatuses } from '../../model/fields/status.ts';
import type { Resources } from '../../model/resources/declared.ts';
import { isTerms } from '../../model/resources/names.ts';
import type { CoverageRow } from '../../store/identity/upstream-state.ts';

/** The records that a list can contain: what coverage has to include. */
export interface Selection {
  resource: ResourceName;
  statuses: readonly string[];
  from: string;
  until: string;
  /** True if it contains every record of these statuses and dates. */
  isWhole: boolean;
  /** IDs that it is limited to. */
  ids?: readonly number[];
  /** Other resources that decide which records it contains. */
  needs: readonly Selection[];
}

/** Statuses of terms: with published events, and without. */
const termStatuses = ['used', 'unused'];
/** Statuses of records in lists. */
export const listedStatuses: readonly string[] = allStatuses.filter((status) => status !== 'trash');
/** Returns the selection of every record that lists contain. */
export const wholeSelection = (
  resource: ResourceName,
  statuses: readonly string[] = isTerms(resource) ? termStatuses : ['publish'],
): Selection => ({
  resource,
  statuses,
  from: '',
  until: '',
  isWhole: true,
  needs: [],
});

/** Returns what a list selects; undefined if it has parameters with a meaning that is not known here. Its parameters must be valid. */
export function selectionOf(resources: Resources, name: ResourceName, query: Query, ctx: RequestContext): Selection | undefined {
  const { list }: Resource = resources[name];
  const own = Object.keys(query).filter((each) => !each.startsWith('_') && each !== 'rest_route');
  if (own.some((each) => !list.parameters.some((parameter) => parameter.name === each))) return undefined;
  const conditions = listQueryOf(list, query, ctx).where.slice(list.where.length);
  const selection: Selection = { ...wholeSelection(name, isTerms(name) ? termStatuses : listedStatuses), needs: [] };
  for (const condition of conditions) narrow(selection, condition, resources[name]);
  return selection;
}

type Narrow = { -readonly [Name in keyof Selection]: Selection[Name] };

/** Limits a selection to what fulfills a condition too. */
function narrow(selection: Narrow, condition: Condition, resource: Resource): void {
  if (condition.test === 'atLeast' || condition.test === 'after' || condition.test === 'atMost' || condition.test === 'before') {
    if (condition.test === 'after' && condition.column === 'count') selection.statuses = ['used'];
    else if (condition.column === 'start_date' && (condition.test === 'atLeast' || condition.test === 'after')) {
      if (String(condition.value) > selection.from) selection.from = String(condition.value);
      if (condition.test === 'after') selection.isWhole = false;
    } else if (condition.column === 'end_date' && (condition.test === 'atMost' || condition.test === 'before')) {
      if (selection.until === '' || String(condition.value) < selection.until) selection.until = String(condition.value);
      if (condition.test === 'before') selection.isWhole = false;
    } else selection.isWhole = false;
    return;
  }
  if ('column' in condition && condition.column === 'status') {
    if (condition.test === 'equal') selection.statuses = [String(condition.value)];
    if (condition.test === 'among') selection.statuses = condition.values.map(String);
    return;
  }
  selection.isWhole = false;
  if (condition.test === 'among' && condition.column === 'id') selection.ids = condition.values.map(Number);
  selection.needs = [...selection.needs, ...neededFor(condition, resource)];
}

/** Returns the other records that decide which rows fulfill a condition. */
function neededFor(condition: Condition, resource: Resource): Selection[] {
  const targetOf = (by: string) => resource.fields.find(({ name }) => name === by)?.links as ResourceName | undefined;
  if (condition.test === 'linked' || condition.test === 'located' || condition.test === 'near') {
    const target = targetOf(condition.by);
    return target ? [wholeSelection(target)] : [];
  }
  if (condition.test === 'hasEvents') return [wholeSelection('events')];
  return [];
}

/** Returns the row of a coverage that includes a selection. */
export function rowFor(rows: readonly CoverageRow[], { resource, statuses, from, until }: Selection): CoverageRow | undefined {
  return rows
    .filter(
      (row) =>
        row.resource === resource &&
        statuses.every((status) => row.statuses.includes(status)) &&
        (row.from === '' || from >= row.from) &&
        (row.until === '' || (until !== '' && until <= row.until)),
    )
    .toSorted((a, b) => (a.asOf < b.asOf ? 1 : -1))[0];
}

/** The part of a selection that a copy has. */
export interface Covered {
  /** Resources that are complete for it. Its own is one only if all that it needs are. */
  complete: ResourceName[];
  isComplete: boolean;
  /** When the oldest part was read. */
  asOf?: string;
}

/** Returns what of a selection a copy has. `isKnown` returns whether it has a record. */
export function coveredBy(
  rows: readonly CoverageRow[],
  selection: Selection | undefined,
  isKnown: (resource: ResourceName, id: number) => boolean,
): Covered {
  if (!selection) return { complete: [], isComplete: false };
  const { resource, ids, needs } = selection;
  const matches = needs.map((need) => ({ need, row: rowFor(rows, need) }));
  const own = rowFor(rows, selection);
  const isOwn = own !== undefined || (ids?.every((id) => isKnown(resource, id)) ?? false);
  const isComplete = isOwn && matches.every(({ row }) => row !== undefined);
  const complete = [...(isComplete ? [resource] : []), ...matches.flatMap(({ need, row }) => (row ? [need.resource] : []))];
  const times = [own, ...matches.map(({ row }) => row)].flatMap((row) => (row ? [row.asOf] : [])).toSorted();
  return { complete: [...new Set(complete)], isComplete, ...(times[0] ? { asOf: times[0] } : {}) };
}

/** Returns whether a copy has every record of a resource that lists contain. */
export const coversAll = (rows: readonly CoverageRow[], resource: ResourceName): boolean =>
  rowFor(rows, wholeSelection(resource)) !== undefined;
