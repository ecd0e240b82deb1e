import { machine } from '../../machine.ts';

/** A controller to whose signal everything listens that waits: requests until the end of an epoch, streams until their connection ends. Many listeners are not a leak. */
export function controllerForMany(): AbortController {
  const controller = new AbortController();
  machine.letManyListen(controller.signal);
  return controller;
}
