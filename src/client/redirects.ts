import { lookup } from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';
import { Agent, type Dispatcher, EnvHttpProxyAgent } from 'undici';
import { isLoopback } from '../model/addresses.ts';
import { Failure } from '../model/error.ts';

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

/** True if a host name can be that of a public site. What a name resolves to is checked by {@link publicLookup}. */
function isPublicHost(hostname: string): boolean {
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

/** True if a URL belongs to the same site: the same host with or without `www.`, over the same protocol and port or, at the default ports, over TLS. */
function isSameSite(from: URL, to: URL): boolean {
  const isUpgrade = from.protocol === 'http:' && to.protocol === 'https:' && from.port === '' && to.port === '';
  return withoutWww(from.hostname) === withoutWww(to.hostname) && (isUpgrade || (from.protocol === to.protocol && from.port === to.port));
}

/** A redirect to follow. */
interface Redirect {
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
  return { url, mustBePublic: mustBePublic(first, url) };
}

/** True if a host was not named, but a public one led to it: it must have a public address, too. */
export const mustBePublic = (named: URL, { hostname }: URL): boolean => hostname !== named.hostname && isPublicHost(named.hostname);

/** Maximum size of a response body in bytes. */
export const maxResponseBytes = 128 << 20;

/** The use of a connection. */
interface AgentUse {
  /** True for a stream: any size, but some data every minute. */
  isStream?: boolean;
  /** True if the host must have a public address. Not checked behind a proxy, which resolves names itself. */
  mustBePublic?: boolean;
}

/** Environment with HTTP_PROXY, HTTPS_PROXY and NO_PROXY, in either case. */
type Env = Readonly<Record<string, string | undefined>>;

/** The proxy for a protocol: its host, and the variable that names it. */
function proxyFor(protocol: string, env: Env): { host: string; variable: string } | undefined {
  const name = `${protocol.slice(0, -1)}_proxy`;
  const variable = [name, name.toUpperCase()].find((each) => env[each] !== undefined);
  const address = variable === undefined ? '' : env[variable]!;
  return URL.canParse(address) ? { host: new URL(address).host, variable: variable! } : undefined;
}

/** Pools of connections by use. Loopback addresses are never requested through a proxy. */
export class Agents {
  readonly #pools = new Map<string, Dispatcher>();

  /** `timeout` is in ms. */
  constructor(
    private readonly timeout: number,
    private readonly env: Env,
  ) {}

  for(url: string, { isStream = false, mustBePublic = false }: AgentUse = {}): Dispatcher {
    const isNear = isLoopback(new URL(url).hostname);
    const name = `${isNear} ${isStream} ${mustBePublic}`;
    const pool = this.#pools.get(name) ?? this.#create(isNear, isStream, mustBePublic);
    this.#pools.set(name, pool);
    return pool;
  }

  #create(isNear: boolean, isStream: boolean, mustBePublic: boolean): Dispatcher {
    const { timeout } = this;
    const { httpProxy, httpsProxy } = this.#proxies();
    const isProxied = !isNear && httpProxy + httpsProxy !== '';
    const options = {
      connect: { timeout, ...(mustBePublic && !isProxied ? { lookup: publicLookup } : {}) },
      headersTimeout: timeout,
      bodyTimeout: isStream ? 60_000 : timeout,
      maxResponseSize: isStream ? -1 : maxResponseBytes,
    };
    // Plain HTTP requests are sent to the proxy directly; tunnels are for HTTPS. An empty string keeps undici from reading the environment of the process.
    return isProxied ? new EnvHttpProxyAgent({ ...options, proxyTunnel: false, ...this.#proxies() }) : new Agent(options);
  }

  #proxies() {
    const { env } = this;
    return {
      httpProxy: env.http_proxy ?? env.HTTP_PROXY ?? '',
      httpsProxy: env.https_proxy ?? env.HTTPS_PROXY ?? '',
      noProxy: env.no_proxy ?? env.NO_PROXY ?? '',
    };
  }

  async close(): Promise<void> {
    await Promise.all([...this.#pools.values()].map((pool) => pool.destroy()));
  }
}

const causes: Record<string, string> = {
  ECONNREFUSED: 'connection refused',
  ENOTFOUND: 'host not found',
  EAI_AGAIN: 'DNS lookup failed',
  ECONNRESET: 'connection closed',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another host',
  ERR_SSL_WRONG_VERSION_NUMBER: 'it does not use HTTPS',
  UND_ERR_SOCKET: 'connection closed',
  EHOSTUNREACH: 'no route to host',
  ENETUNREACH: 'no route to host',
  EPRIVATE: 'it redirects to a private address',
  UND_ERR_RES_EXCEEDED_MAX_SIZE: `the response is larger than ${maxResponseBytes} bytes`,
};

/** Codes of certificates that no known authority has signed. */
const untrusted = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
]);

/** The failure for a request without a response; other errors, and those of an interruption, unchanged. */
export function unreachable(
  error: unknown,
  url: string,
  { timeout, signal, env }: { timeout: number; signal: AbortSignal; env: Env },
): unknown {
  if (signal.aborted || error instanceof Failure) return error;
  const { name, message, code = '' } = error as NodeJS.ErrnoException;
  const late = name === 'TimeoutError' || name === 'AbortError' || /TIMEOUT/.test(code);
  const inner = (error as { errors?: NodeJS.ErrnoException[] }).errors?.[0]?.code ?? '';
  const isUntrusted = untrusted.has(code);
  const why = late
    ? `no response within ${timeout / 1000} s`
    : (causes[code] ?? causes[inner] ?? (isUntrusted ? 'its certificate is not trusted' : message || code));
  const { hostname, port, protocol } = new URL(url);
  const proxy = isLoopback(hostname) ? undefined : proxyFor(protocol, env);
  // A person who omits the port of this machine means that of calendar serve.
  const noPort = port === '' && protocol === 'http:' && isLoopback(hostname) ? ` Did you mean ${hostname}:8787?` : '';
  const hint = late
    ? 'Increase --timeout, or try again later.'
    : isUntrusted
      ? 'Set NODE_EXTRA_CA_CERTS to the file of the authority that signed it, before the program starts.'
      : proxy
        ? `Check the address, and the proxy ${proxy.host}, which ${proxy.variable} names.`
        : `Check the address, and that the server is running.${noPort}`;
  return new Failure('unreachable', `Cannot reach ${new URL(url).origin}: ${why}`, hint);
}
