import type { Service } from '../../model/operations/service.ts';
import type { ActionHandler } from '../../server/actions.ts';
import type { ControlAccess } from '../../server/control/access.ts';
import type { HandlerOptions } from '../../server/http.ts';
import type { ServingOptions } from '../serving/options.ts';
import type { World } from '../world/world.ts';
import { copiedService } from './copied-service.ts';
import { CopyActions } from './copy-actions.ts';
import { SiteCopy } from './site-copy.ts';

/** A copy of a live site for a server. */
export interface CopiedCalendar {
  service: Service;
  handleAction: ActionHandler;
  copyOf: HandlerOptions['copyOf'];
}

/** Returns the service of a copy of the live site at `root`, and the handler of actions on its records. */
export function copiedCalendar(
  world: World,
  root: string,
  service: Service,
  handling: HandlerOptions,
  access: ControlAccess,
  { upstream, upstreamWrites, system }: ServingOptions,
): CopiedCalendar {
  const copy = new SiteCopy(world.store, root, handling.namespace);
  const writes = upstreamWrites ?? 'refuse';
  const actions = new CopyActions(copy, world, { upstream, writes, system }, handling, access);
  return {
    service: copiedService(service, copy, handling.namespace, writes, (viewer) => actions.permits(viewer)),
    handleAction: (call) => actions.handle(call),
    copyOf: { host: new URL(root).host, writes, forwards: (request) => actions.forwards(request) },
  };
}
