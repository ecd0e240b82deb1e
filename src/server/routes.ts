import { type Act, actionRoutes } from './actions.ts';
import { adminRoutes } from './admin.ts';
import { feed } from './feed.ts';
import type { HandlerOptions, ServerRoute } from './http.ts';
import { discoveryRoot, namespaceIndex } from './namespace-index.ts';
import { openApi } from './openapi.ts';
import { pageRoutes } from './web-page.ts';

const documents: readonly ServerRoute[] = [
  {
    path: '',
    below: 'namespace',
    methods: ['GET'],
    access: 'everybody',
    summary: 'every route with its arguments',
    answer: namespaceIndex,
    endpoints: (_ctx, { namespace }) => [
      {
        methods: ['GET'],
        args: { namespace: { default: namespace, required: false }, context: { default: 'view', required: false } },
      },
    ],
  },
  {
    path: '/doc',
    below: 'namespace',
    methods: ['GET'],
    access: 'everybody',
    summary: 'this document',
    answer: openApi,
    endpoints: () => [{ methods: ['GET'], args: [] }],
    operations: () => ({
      get: {
        summary: 'this document',
        parameters: [],
        responses: { 200: { description: 'OpenAPI', content: { 'application/json': { schema: { type: 'object' } } } } },
      },
    }),
  },
];

/** Where clients that know only the site find the API; below no base path it is the root of the site, which people get as a page. */
const discovery: ServerRoute = {
  path: '',
  below: 'base path',
  methods: ['GET'],
  access: 'everybody',
  summary: 'the namespace and every route',
  answer: discoveryRoot,
};

const feeds: readonly ServerRoute[] = [
  {
    path: '/calendar.ics',
    below: 'base path',
    methods: ['GET'],
    access: 'everybody',
    summary: 'events as iCalendar, to subscribe to',
    answer: feed,
  },
];

/** Every route of a server, in the order in which documents list them. */
export const routesWith = (act: Act, { page, basePath }: HandlerOptions): readonly ServerRoute[] => [
  ...documents,
  ...(page && basePath === '' ? [] : [discovery]),
  ...actionRoutes(act),
  ...feeds,
  ...adminRoutes,
  ...(page ? pageRoutes(page) : []),
];
