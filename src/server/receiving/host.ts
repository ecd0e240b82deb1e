import { isIP } from 'node:net';
import { isLoopback } from '../../model/addresses.ts';
import { Failure } from '../../model/error.ts';

/** Names that a Host header may have. */
export interface HostRule {
  /** Names besides those of this machine. */
  allowed?: readonly string[];
  /** True to allow every address: a page can rebind a name (DNS rebinding), but not an address. */
  addresses?: boolean;
}

/** Returns the name in a Host header. */
const nameIn = (header: string): string => header.replace(/:\d+$/, '').toLowerCase();

/** Returns whether a Host header is a plain host name or address, safe to echo in HTML. */
const isHost = (header: string) => /^([\w.-]+|\[[\da-f:.]+\])(:\d+)?$/i.test(header);

/** Returns whether a Host header names this machine. */
export const isLocalHost = (header: string | undefined): boolean => header === undefined || isLoopback(nameIn(header));

/** Throws `host-not-allowed` for a Host header that is invalid or that the rule, if any, does not allow. */
export function checkHost(header: string | undefined, rule: HostRule | undefined): void {
  if (header === undefined) return;
  if (isHost(header)) {
    if (!rule || isLocalHost(header)) return;
    const name = nameIn(header);
    if (rule.allowed?.includes(name) || (rule.addresses && isIP(name.replace(/^\[|\]$/g, '')) !== 0)) return;
  }
  const hint = isHost(header) && rule ? `Allow it with --allow-host ${nameIn(header)}.` : undefined;
  throw new Failure('host-not-allowed', `Host ${JSON.stringify(header)} is not allowed`, hint);
}
