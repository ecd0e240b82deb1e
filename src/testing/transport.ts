import type { TransportOptions } from '../client/transport.ts';
import type { ConnectTo } from '../data/operations/context.ts';

/** Returns how this process sends requests, with the proxies of its environment. */
export const transportHere = (timeout = 30_000): TransportOptions => ({
  timeout,
  env: process.env,
  signal: new AbortController().signal,
  now: Date.now,
  random: Math.random,
});

/** Opens calendars on other servers, for pull and push. */
export const connectorHere: ConnectTo = async (root, authorization) => {
  const { connectTo } = await import('../client/remote.ts');
  const { calendar, close } = connectTo(root, authorization, transportHere());
  return { calendar, site: root, close };
};
