import type { TransportOptions } from '../client/transport.ts';
import type { ConnectTo } from '../data/operations/context.ts';

/** How this process sends requests: proxies are those that its environment names. */
export const transportHere = (timeout = 30_000): TransportOptions => ({
  timeout,
  env: process.env,
  signal: new AbortController().signal,
  now: Date.now,
  random: Math.random,
});

/** Opens calendars at other servers, for pull and push. */
export const connectorHere: ConnectTo = async (root, authorization) => {
  const { connectTo } = await import('../client/remote.ts');
  const { calendar, close } = connectTo(root, authorization, transportHere());
  return { calendar, site: root, close };
};
