import { feedPath } from '../model/absolute-path.ts';
import { type ActionHandler, actionRoutes } from './actions.ts';
import { feed } from './feed.ts';
import type { HandlerOptions, ServerRoute } from './http.ts';
import { discoveryRoot, namespaceIndex } from './namespace-index.ts';
import { pageRoutes } from './web-page.ts';

type Described = keyof typeof import('./openapi/documents.ts');
/** The operations that a name stands for, loaded when a document is asked for. */
const described =
  (name: Described): ServerRoute['operations'] =>
  async (ctx, options) =>
    (await import('./openapi/documents.ts'))[name](ctx, options);

const get = { methods: ['GET'] } as const;

const documents: readonly ServerRoute[] = [
  {
    ...get,
    path: '',
    below: 'namespace',
    summary: 'every route with its arguments',
    respond: namespaceIndex,
    endpoints: (_ctx, { namespace }) => [
      {
        methods: ['GET'],
        args: { namespace: { default: namespace, required: false }, context: { default: 'view', required: false } },
      },
    ],
    operations: described('index'),
  },
  {
    ...get,
    path: '/doc',
    below: 'namespace',
    summary: 'the document that the reference has',
    respond: async (call) => (await import('./doc.ts')).referenceDocument(call),
    endpoints: () => [{ methods: ['GET'], args: [] }],
    operations: described('reference'),
  },
  {
    ...get,
    path: '/openapi.json',
    below: 'namespace',
    summary: 'every route as OpenAPI 3.1',
    respond: async (call) => (await import('./openapi/document.ts')).openApi(call),
    operations: described('openApi'),
  },
];

/** Where clients that know only the site find the API; below no base path it is the root of the site, which people get as a page. */
const discovery: ServerRoute = {
  ...get,
  path: '',
  below: 'base path',
  summary: 'the namespace and every route',
  respond: discoveryRoot,
  operations: described('discovery'),
};

/** What stands beside the namespace: the document where newcomers look for it, and the feed. */
const beside: readonly ServerRoute[] = [
  {
    ...get,
    path: '/openapi.json',
    below: 'site',
    summary: 'every route as OpenAPI 3.1',
    respond: async (call) => (await import('./openapi/document.ts')).openApi(call),
  },
  {
    ...get,
    path: feedPath,
    below: 'base path',
    summary: 'events as iCalendar, to subscribe to',
    respond: feed,
    operations: described('feed'),
  },
];

/** Every route of a server, in the order in which documents list them. */
export const routesWith = (handleAction: ActionHandler, { page, basePath }: HandlerOptions): readonly ServerRoute[] => [
  ...documents,
  ...(page && basePath === '' ? [] : [discovery]),
  ...actionRoutes(handleAction),
  ...beside,
  ...(page ? pageRoutes(page) : []),
];
