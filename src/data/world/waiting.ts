import { setMaxListeners } from 'node:events';

/** A controller to whose signal everything listens that waits: requests until the end of an epoch, streams until their connection ends. Many listeners are not a leak. */
export function controllerForMany(): AbortController {
  const controller = new AbortController();
  try {
    setMaxListeners(0, controller.signal);
  } catch {
    // Signals of other environments, like jsdom, are not node's, and warn of nothing.
  }
  return controller;
}
