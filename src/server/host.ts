import { isIP } from 'node:net';
import { isLoopback } from '../model/addresses.ts';
import { Failure } from '../model/error.ts';
import type { HostRule, Step } from './context.ts';

const nameIn = (header: string): string => header.replace(/:\d+$/, '').toLowerCase();

/** Returns whether a Host header is a plain host name or address, safe to echo in HTML. */
const isHost = (header: string) => /^([\w.-]+|\[[\da-f:.]+\])(:\d+)?$/i.test(header);

export const isLocalHost = (header: string | undefined): boolean => header === undefined || isLoopback(nameIn(header));

/** Rejects a request whose Host headers are several, invalid or not allowed. */
export const checkHost: Step = (request, exchange, next) => {
  const { hosts, hasSeveralHosts } = exchange.arrival;
  if (hasSeveralHosts) throw new Failure('bad-request', 'The request has several Host headers');
  checkName(request.headers.host, hosts);
  checkName(request.sentHost, hosts);
  exchange.isHostAllowed = true;
  return next(request);
};

/** Throws `host-not-allowed` for a Host header that is invalid or that the rule, if any, does not allow. */
function checkName(header: string | undefined, rule: HostRule | undefined): void {
  if (header === undefined) return;
  if (isHost(header)) {
    if (!rule || isLocalHost(header)) return;
    const name = nameIn(header);
    if (rule.allowed?.includes(name) || (rule.addresses && isIP(name.replace(/^\[|\]$/g, '')) !== 0)) return;
  }
  const hint = isHost(header) && rule ? `Allow it with --allow-host ${nameIn(header)}.` : undefined;
  throw new Failure('host-not-allowed', `Host ${JSON.stringify(header)} is not allowed`, hint);
}
