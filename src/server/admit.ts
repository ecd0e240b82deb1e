import { isControl, worldCookie, worldHeader } from '../model/addresses.ts';
import { Failure } from '../model/error.ts';
import { isPagePath, pageChangesPath } from '../model/web-page.ts';
import type { Step, WorldExchange } from './context.ts';
import { authorize, controlFailure, isUnknownPage } from './control/control.ts';
import type { Handled, ServerRequest } from './http.ts';
import { isForData, unknownWorld, withBody } from './select-world.ts';
import { maxUploadOf } from './wordpress/routes.ts';

/** Maximum size of the body of an operation that takes a whole calendar, in bytes. */
export const maxDataBytes = 256 << 20;

/**
 * Checks origin and token of a request for the control API, then reads the body up to its limit, so that the body of a rejected request is not read. The API checks them where it knows the
 * route, after overrides of the method.
 */
export const admit: Step = (request, exchange, next) => {
  const { world, entry } = exchange;
  const { read } = exchange.arrival;
  const { controlled, maxBodyBytes } = world;
  let maxBytes = maxBodyBytes;
  if (isControl(request.path)) {
    const isPage = isPagePath(request.path) && (!read || request.path === pageChangesPath);
    if (controlled && !isPage && !isUnknownPage(request)) {
      try {
        exchange.operation = authorize(request, controlled);
      } catch (error) {
        return { ...controlFailure(error), isLast: read !== undefined };
      }
      if (exchange.operation.operation.takesData) maxBytes = Math.max(maxDataBytes, maxBytes);
    }
  } else if (read) maxBytes = maxUploadOf(request, world.options) ?? maxBytes;
  if (!read) return enter(request, exchange, next);
  return withBody(request, exchange, maxBytes, (complete) => {
    if (entry) world.journal.addBody(entry, complete.body);
    return enter(complete, exchange, next);
  });
};

/** Runs the steps after admission, unless there is no world to run them on. */
function enter(request: ServerRequest, { server, world }: WorldExchange, next: (request: ServerRequest) => Handled): Handled {
  const { id } = world;
  // It may have been deleted while the body arrived.
  if (id !== undefined && world.journal.isClosed) throw unknownWorld(id);
  if (id === undefined && server.isWorldRequired && isForData(request, world)) {
    const failure = worldRequired(server.options);
    server.refuse(request, failure);
    throw failure;
  }
  const response = next(request);
  if (!(response instanceof Promise) || !request.epoch) return response;
  const { method, path } = request;
  const root = `${server.options.basePath}/${server.options.namespace}`;
  return world.track(`${method} ${path.startsWith(`${root}/`) ? path.slice(root.length) : path}`, response);
}

const worldRequired = ({ requireWorld }: { requireWorld?: boolean }): Failure =>
  new Failure(
    'world-required',
    'This server requires requests to select a world',
    `Send the header ${worldHeader} or the cookie ${worldCookie}, or start the path with /_worlds/ID. On the command line, pass --world.${requireWorld ? '' : ' Tests created worlds here that require it; restart the server to use its calendar without a world.'}`,
  );
