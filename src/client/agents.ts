import { Agent, type Dispatcher, EnvHttpProxyAgent } from 'undici';
import { isLoopback } from '../model/loopback.ts';
import { publicLookup } from './redirects.ts';

/** Maximum size of a response body in bytes. */
export const maxResponseBytes = 128 << 20;

/** The use of a connection. */
export interface AgentUse {
  /** True for a stream: any size, but some data every minute. */
  isStream?: boolean;
  /** True if the host must have a public address. Not checked behind a proxy, which resolves names itself. */
  mustBePublic?: boolean;
}

/** Pools of connections by use. Loopback addresses are never requested through a proxy. */
export class Agents {
  readonly #pools = new Map<string, Dispatcher>();

  /** `timeout` is in ms. `env` has HTTP_PROXY, HTTPS_PROXY and NO_PROXY, in either case. */
  constructor(
    private readonly timeout: number,
    private readonly env: Record<string, string | undefined>,
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
