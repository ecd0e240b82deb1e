import type { Collection, Entry, Input, Page, Ref, Resource } from '../model/calendar.ts';
import { listOf } from '../model/fields/coerce.ts';
import type { Query } from '../model/fields/list.ts';
import { isTerms } from '../model/resources/names.ts';
import { linksOf } from '../model/resources/term.ts';
import { type Action, methodsOf, type Route, routePath, routes, successOf } from '../model/routes.ts';
import { readInput } from './body.ts';
import { checkDates } from './hints.ts';
import type { Call, HandlerOptions, Result, ServerRoute } from './http.ts';
import { noteAnonymous, noteHidden, noteUpdate, removesLinks } from './mistakes/conduct.ts';
import { checkForm, needsRecord } from './mistakes/form.ts';
import { endpoint } from './namespace-index.ts';
import { parametersOf } from './parameters.ts';
import { checkEpoch, envelope, selectedFields } from './response.ts';

/** A request for an action. */
interface ActionCall extends Call {
  route: Route;
  action: Action;
}

/** Runs an action on the calendar that the caller sees. Notes the mistakes in the request: those of form before, which a strict server rejects, those of conduct after. */
export async function runAction(call: ActionCall): Promise<Result> {
  const { service, viewer, site, route, action, query, request, ref } = call;
  const collection = service.calendar(viewer, site)[route.resource];
  const resource: Resource = service.resources()[route.resource];
  const isRead = action === 'list' || action === 'get';
  const fields: Input = !isRead && request.body.length ? await readInput(request.body, request.headers) : {};
  const input = action === 'delete' ? query : { ...query, ...fields };
  const needsBefore = action === 'update' && (needsRecord(resource, input) || removesLinks(resource, input));
  // A failure to read it is one to update it, too.
  const before = needsBefore ? await collection.get(ref!, {}).catch(() => undefined) : undefined;
  if (!isRead) checkEpoch(request);
  checkForm(call, route.resource, action, input, before);
  const { entries, ...result } = await perform(call, collection, input);
  if (isRead) noteHidden(call, resource, entries);
  else noteAnonymous(call);
  if (action === 'update') noteUpdate(call, route.resource, input, before, entries[0]!);
  if (action === 'list') await checkDates(call, route.resource, result);
  return result;
}

async function perform(call: ActionCall, collection: Collection, input: Input): Promise<Result & { entries: readonly Entry[] }> {
  const { service, route, action, query } = call;
  const status = successOf(action);
  if (action === 'list') {
    const selected = selectedFields(query);
    const listed = withTermIds(call, service.resources()[route.resource]);
    // Of the records of a list, `_fields` can only select all members.
    const page = await collection.list(listed, !selected || selected.includes(route.resource) ? undefined : new Set());
    return { status, headers: totals(page, call.options), value: envelope(route.resource, page), entries: page.entries };
  }
  const ref = call.ref!;
  const entry = await {
    get: () => readRecord(collection, ref, query),
    create: () => collection.create(input),
    update: () => collection.update(ref, input),
    delete: () => collection.delete(ref),
  }[action]();
  const headers: Result['headers'] = action === 'create' && isTerm(route) ? { Location: (entry.urls as { self: string }).self } : {};
  return { status, headers, value: action === 'delete' ? entry : withLinks(route, entry), entries: [entry] };
}

/** The query of a list. A number is the ID of a term, as in the reference, also if it is the slug of another one; for own calls, a text is a slug. */
function withTermIds({ request, query }: Call, { list }: Resource): Query {
  const names = list.parameters.flatMap(({ name, links, many }) =>
    many && (links === 'categories' || links === 'tags') && query[name] !== undefined ? [name] : [],
  );
  if (request.isOurs || !names.length) return query;
  const idOrSlug = (value: unknown) => (/^\s*\d+\s*$/.test(String(value)) ? Number(value) : value);
  return { ...query, ...Object.fromEntries(names.map((name) => [name, listOf(query[name]).map(idOrSlug)])) };
}

/** A record with at least the members that `_fields` selects; a whole one if it lacks one of them, for the hint that names those it has. */
async function readRecord(collection: Collection, ref: Ref, query: Query): Promise<Entry> {
  const members = selectedFields(query)?.map((path) => path.split('.')[0]!);
  // The status decides about a hint.
  const entry = await collection.get(ref, query, members && new Set([...members, 'status']));
  return members?.some((name) => !Object.hasOwn(entry, name)) ? collection.get(ref, query) : entry;
}

const totals = ({ total, total_pages }: Pick<Page, 'total' | 'total_pages'>, { headerPrefix }: HandlerOptions) => ({
  [`${headerPrefix}-Total`]: total,
  [`${headerPrefix}-TotalPages`]: total_pages,
});

const isTerm = ({ resource }: Route) => isTerms(resource);

/** Adds the links of a single term. */
function withLinks(route: Route, entry: Entry): unknown {
  // Those of a copied record may be others.
  return !isTerm(route) || '_links' in entry ? entry : { ...entry, _links: linksOf(entry) };
}

const allowed = ({ service, viewer, ref }: Call, { resource, actions }: Route): string[] =>
  actions
    .filter((action) => action === 'list' || action === 'get' || service.may(viewer, action, resource, ref))
    .flatMap((action) => methodsOf[action]);

export const actionRoutes = (): ServerRoute[] =>
  routes.map((route) => ({
    path: routePath(route, (name) => `{${name}}`),
    below: 'namespace',
    methods: route.actions.flatMap((action) => methodsOf[action]),
    summary: route.by === 'all' ? route.resource : `one of the ${route.resource}`,
    async respond(call) {
      const action = route.actions.find((candidate) => methodsOf[candidate].includes(call.method === 'HEAD' ? 'GET' : call.method))!;
      return runAction({ ...call, route, action });
    },
    allow: (call) => allowed(call, route),
    endpoints: (ctx) => route.actions.map((action) => endpoint(methodsOf[action], parametersOf(route, action, ctx))),
    operations: async (ctx, options) => (await import('./openapi/operations.ts')).actionOperations(route, ctx, options),
  }));
