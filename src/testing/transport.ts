import project from '../../package.json' with { type: 'json' };
import type { TransportOptions } from '../client/transport.ts';
import type { ConnectTo } from '../data/operations/context.ts';
import { controllerForMany } from '../data/world/waiting.ts';

/** Returns how this process sends requests, with the proxies of its environment. */
export const transportHere = (timeout = 30_000): TransportOptions => ({
  timeout,
  userAgent: `local-calendar/${project.version}`,
  env: process.env,
  signal: controllerForMany().signal,
  now: Date.now,
  random: Math.random,
});

/** Opens calendars on other servers, for pull and push. */
export const connectorHere: ConnectTo = async (root, authorization, headers, onWait) => {
  const { connectTo } = await import('../client/remote.ts');
  return connectTo(root, authorization, { ...transportHere(), headers, onWait });
};
