import { feedPath } from '../model/addresses.ts';
import { pageChangesPath } from '../model/web-page.ts';
import { actionRoutes } from './actions.ts';
import { changeMany } from './changes/change-many.ts';
import type { HandlerOptions, ServerRoute } from './http.ts';
import { discoveryRoot, namespaceIndex } from './namespace-index.ts';
import { wholeFeed } from './site/feed.ts';
import { siteRoutes } from './site/pages.ts';
import { currentUser, currentUserPath } from './wordpress/current-user.ts';
import { imageRoutes } from './wordpress/routes.ts';

/** The operations of a document, loaded on demand. */
const described =
  (name: keyof typeof import('./openapi/operations.ts').documentOperations): ServerRoute['operations'] =>
  async (ctx, options) =>
    (await import('./openapi/operations.ts')).documentOperations[name](ctx, options);

const get = { methods: ['GET'] } as const;

const documents: readonly ServerRoute[] = [
  {
    ...get,
    path: '',
    below: 'namespace',
    summary: 'namespace index',
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
    summary: 'OpenAPI document of the reference',
    respond: async (call) => (await import('./doc.ts')).referenceDocument(call),
    endpoints: () => [{ methods: ['GET'], args: [] }],
    operations: described('reference'),
  },
  {
    ...get,
    path: '/openapi.json',
    below: 'namespace',
    summary: 'OpenAPI 3.1 document',
    respond: async (call) => (await import('./openapi/document.ts')).openApi(call),
    operations: described('openApi'),
  },
];

/** The discovery root. Without a base path it is the root of the site, which shows the page to browsers. */
const discovery: ServerRoute = {
  ...get,
  path: '',
  below: 'base path',
  summary: 'the namespace and every route',
  respond: discoveryRoot,
  operations: described('discovery'),
};

/** Routes outside the namespace: the OpenAPI document at the root, and the feed. */
const otherRoutes: readonly ServerRoute[] = [
  {
    ...get,
    path: '/openapi.json',
    below: 'site',
    summary: 'OpenAPI 3.1 document',
    respond: async (call) => (await import('./openapi/document.ts')).openApi(call),
  },
  {
    ...get,
    path: currentUserPath,
    below: 'base path',
    summary: 'the user who signed in',
    respond: currentUser,
  },
  {
    methods: ['POST'],
    path: pageChangesPath,
    below: 'origin',
    summary: 'changes of many records',
    respond: changeMany,
  },
  {
    ...get,
    path: feedPath,
    below: 'base path',
    summary: 'events as iCalendar',
    respond: wholeFeed,
    operations: described('feed'),
  },
];

/** Every route of a server, in the order of documents. */
export function routesWith(options: HandlerOptions): readonly ServerRoute[] {
  const { page, basePath } = options;
  return [
    ...documents,
    ...(basePath === '' ? [] : [discovery]),
    ...actionRoutes(),
    ...otherRoutes,
    ...imageRoutes(options),
    ...siteRoutes(page),
  ];
}
