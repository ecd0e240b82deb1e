import { isIpAddress, isLoopback } from '../model/addresses.ts';
import { Failure } from '../model/error.ts';
import type { Exchange } from './context.ts';
import type { ServerRequest } from './http.ts';

const nameIn = (header: string): string => header.replace(/:\d+$/, '').toLowerCase();

/** True if a Host header is a plain host name or address, safe to echo in HTML. */
const isHost = (header: string) => /^([\w.-]+|\[[\da-f:.]+\])(:\d+)?$/i.test(header);

export const isLocalHost = (header: string | undefined): boolean => header === undefined || isLoopback(nameIn(header));

/** Throws for a request with several Host headers, or one that is not a host name or that the rule of the server, if any, does not allow. */
export function checkHost({ headers, sentHost }: ServerRequest, exchange: Exchange): void {
  const { hosts: rule, hasSeveralHosts } = exchange.arrival;
  if (hasSeveralHosts) throw new Failure('bad-request', 'The request has several Host headers');
  for (const header of sentHost === undefined ? [headers.host] : [headers.host, sentHost]) {
    if (header === undefined || (isHost(header) && (!rule || isLocalHost(header)))) continue;
    const name = nameIn(header);
    const isAddress = rule?.addresses && isIpAddress(name.replace(/^\[|\]$/g, ''));
    if (isHost(header) && (rule?.allowed?.includes(name) || isAddress)) continue;
    const hint = isHost(header) ? `Allow it with --allow-host ${name}.` : undefined;
    throw new Failure('host-not-allowed', `Host ${JSON.stringify(header)} is not allowed`, hint);
  }
  exchange.isHostAllowed = true;
}
