import { lookup } from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';
import { isLoopback } from '../model/loopback.ts';

const reserved = new BlockList();
for (const range of ['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12', '192.0.0.0/24'])
  add(range, 'ipv4');
for (const range of ['192.168.0.0/16', '198.18.0.0/15', '224.0.0.0/4', '240.0.0.0/4']) add(range, 'ipv4');
for (const range of ['::/127', '64:ff9b::/96', 'fc00::/7', 'fe80::/10', 'ff00::/8']) add(range, 'ipv6');

function add(range: string, family: 'ipv4' | 'ipv6'): void {
  const [net, bits] = range.split('/') as [string, string];
  reserved.addSubnet(net, Number(bits), family);
}

const isPublicAddress = (address: string): boolean => !reserved.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');

/** Returns whether a host name can be that of a public site. What a name resolves to is checked by {@link publicLookup}. */
export function isPublicHost(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$|\.$/g, '');
  if (isIP(host)) return isPublicAddress(host);
  return host.includes('.') && !isLoopback(host) && !/\.(local|internal|lan|home\.arpa)$/i.test(host);
}

/** Resolves a host name to public addresses only. */
export const publicLookup: LookupFunction = (hostname, options, done) =>
  lookup(hostname, options, (error, address, family) => {
    const addresses: { address: string }[] = Array.isArray(address) ? address : [{ address }];
    const isRejected = !error && !addresses.every((each) => isPublicAddress(each.address));
    const failure = isRejected ? Object.assign(new Error(`${hostname} has a private address`), { code: 'EPRIVATE' }) : error;
    done(failure, address as string, family);
  });

const withoutWww = (host: string) => host.replace(/^www\./, '');

/** Returns whether a URL belongs to the same site: the same host with or without `www.`, over the same protocol and port or, at the default ports, over TLS. */
function isSameSite(from: URL, to: URL): boolean {
  const isUpgrade = from.protocol === 'http:' && to.protocol === 'https:' && from.port === '' && to.port === '';
  return withoutWww(from.hostname) === withoutWww(to.hostname) && (isUpgrade || (from.protocol === to.protocol && from.port === to.port));
}

/** A redirect to follow. */
export interface Redirect {
  url: URL;
  /** True if the target is another host than the first one and must have a public address. */
  mustBePublic: boolean;
}

/**
 * Returns where a read may follow a redirect; undefined if it may not. `first` is the URL of the first request. Requests with credentials follow only to the
 * same site, all others to public hosts too. TLS is never given up.
 */
export function redirectOf(first: URL, current: URL, location: string, hasCredentials: boolean): Redirect | undefined {
  if (!URL.canParse(location, current.href)) return undefined;
  const url = new URL(location, current);
  if (!/^https?:$/.test(url.protocol) || url.username || url.password) return undefined;
  if (current.protocol === 'https:' && url.protocol === 'http:') return undefined;
  const isOther = url.hostname !== first.hostname;
  const isSame = url.origin === current.origin || isSameSite(first, url);
  if (!isSame && (hasCredentials || !isOther || !isPublicHost(url.hostname))) return undefined;
  return { url, mustBePublic: isOther && isPublicHost(first.hostname) };
}
