import { readFile } from 'node:fs/promises';
import { controlPath, isControl } from '../../model/addresses.ts';
import { Failure, systemFailure } from '../../model/error.ts';
import { headerName } from '../../model/grammar.ts';
import { type GivenOptions, serverOptions } from '../../model/server-options.ts';
import type { Hooks } from '../../server/hooks/functions.ts';
import type { HandlerOptions, RequestEvent } from '../../server/http.ts';
import type { Certificate } from '../../server/listen.ts';
import type { Store } from '../../store/calendar.ts';
import type { ConnectTo } from '../operations/context.ts';
import type { WorldOptions } from '../world/world.ts';

type Served = GivenOptions<'host' | 'port' | 'maxBody' | 'basePath' | 'namespace' | 'headerPrefix' | 'durability'>;

/** Options of a server and of the world that it serves. */
export interface ServingOptions extends Served, Omit<WorldOptions, keyof Served>, Pick<HandlerOptions, 'page'> {
  /** True if every caller may reset, seed and replace the calendar. */
  open: boolean;
  /** Token of the page of the person who started the server: see ControlAccess. */
  pageToken?: string;
  /** True if this process may reset the calendar, even where callers may not. */
  keepsStart?: boolean;
  /** False to let the process end while the server listens (default true). */
  keepsRunning?: boolean;
  /** The seed that health reports. */
  seed?: string;
  /** True if the namespace of the site comes first, whose copy the calendar is. */
  isDefaultNamespace?: boolean;
  /** A site to pull from in the background. */
  pull?: {
    /** Address that its routes start with, or one of the site with the namespace to use if the calendar remembers no other. */
    root: string;
    namespace?: string;
    authorization?: string;
    headers?: Record<string, string>;
    /** True if the headers or the authorization identify a user. */
    isUser?: boolean;
  };
  /** Opens calendars on other servers, for pull and push. */
  connectTo: ConnectTo;
  /** Fills the calendar before the first request is handled. A reset restores the state after it. */
  prepare?(store: Store): Promise<void>;
  /** Functions of the user around requests and changes. */
  hooks?: Hooks;
  /** Called after each response. */
  onRequest?(event: RequestEvent): void;
}

/** Defaults. */
export const defaultServing = {
  host: serverOptions.host.default,
  basePath: serverOptions.basePath.default,
  namespace: serverOptions.namespace.default,
  headerPrefix: serverOptions.headerPrefix.default,
  durability: serverOptions.durability.default,
  maxBody: serverOptions.maxBody.default,
  journal: serverOptions.journal.default,
} as const satisfies Partial<ServingOptions>;

/** A namespace without slashes at its ends. */
export const plainNamespace = (text: string): string => text.replace(/^\/+|(?<!\/)\/+$/g, '');
/** A base path with one slash at its start and none at its end; empty for none. */
export const plainBasePath = (text: string): string => text.replace(/^\/*|(?<!\/)\/*$/g, '').replace(/^(?=.)/, '/');

const reject = (message: string, hint: string): never => {
  throw new Failure('bad-request', message, hint);
};

/** Throws if a token is not valid in an Authorization header (RFC 6750). */
export function checkToken(token: string | undefined): void {
  if (token === undefined || /^[\w.~+/-]+=*$/.test(token)) return;
  reject('Invalid control token', 'Use letters, digits and -._~+/, like the output of openssl rand -hex 24.');
}

/** Throws for paths, header prefixes, taxonomies, hosts and origins that no request or response can have. */
export function checkServed({ basePath, namespace, headerPrefix, taxonomy, allowHosts = [], cors = [], publicUrl }: ServingOptions): void {
  const path = `${basePath}/${namespace}`;
  if (namespace === '' || !URL.canParse(path, 'http://localhost') || new URL(path, 'http://localhost').pathname !== path)
    reject(`Invalid API path ${JSON.stringify(path)}`, 'Use letters, digits, dashes and slashes, like /wp-json.');
  if (isControl(path)) reject(`The API cannot be at ${path}: ${controlPath} is the control API`, 'Use another base path or namespace.');
  if (!headerName.test(headerPrefix))
    reject(`Invalid header prefix ${JSON.stringify(headerPrefix)}`, 'Use letters, digits and dashes, like X-Calendar.');
  if (taxonomy !== undefined && !/^[a-z\d_-]{1,32}$/.test(taxonomy))
    reject(
      `Invalid taxonomy ${JSON.stringify(taxonomy)}`,
      'Use at most 32 small letters, digits, dashes and underscores, like brand_events_cat.',
    );
  if (publicUrl !== undefined && !(URL.canParse(publicUrl) && new URL(publicUrl).origin === publicUrl && /^https?:/.test(publicUrl)))
    reject(
      `Invalid public URL ${JSON.stringify(publicUrl)}`,
      'Write an origin like https://shop.test, without a slash. The folder of the site is in the base path, like /cal/wp-json.',
    );
  for (const host of allowHosts)
    if (!/^(?:[a-z\d._-]+|\[[\da-f:.]+\])$/.test(host))
      reject(
        `Invalid host ${JSON.stringify(host)}`,
        'Write a name in small letters or an address, without scheme and port, like app.example.',
      );
  for (const origin of cors)
    if (origin !== '*' && !/^[a-z][a-z\d+.-]*:\/\/[^/?#\s]+$/.test(origin))
      reject(`Invalid origin ${JSON.stringify(origin)}`, 'Write it like https://app.example.org, or * for all.');
}

/** Reads the certificate of a server and its key; undefined without them. Throws `bad-request` if one is missing or invalid, or if they are not a pair. */
export async function certificateOf({ tlsCert, tlsKey }: Pick<ServingOptions, 'tlsCert' | 'tlsKey'>): Promise<Certificate | undefined> {
  if (tlsCert === undefined && tlsKey === undefined) return undefined;
  if (tlsCert === undefined || tlsKey === undefined)
    return reject('HTTPS requires a certificate and its key', 'Pass both --tls-cert and --tls-key (tlsCert and tlsKey).');
  const [{ X509Certificate, createPrivateKey }, cert, key] = [await import('node:crypto'), await fileAt(tlsCert), await fileAt(tlsKey)];
  const parsed = <T>(parse: () => T, message: string): T => {
    try {
      return parse();
    } catch {
      return reject(message, 'Files for this machine can be created with mkcert localhost 127.0.0.1.');
    }
  };
  const certificate = parsed(() => new X509Certificate(cert), `${tlsCert} is not a certificate in PEM format`);
  const privateKey = parsed(() => createPrivateKey(key), `${tlsKey} is not an unencrypted private key in PEM format`);
  if (!certificate.checkPrivateKey(privateKey)) reject(`${tlsKey} is not the key of ${tlsCert}`, 'Pass the two files of one certificate.');
  return { cert, key };
}

const fileAt = (path: string): Promise<Buffer> =>
  readFile(path).catch((error) => {
    throw systemFailure(error, path);
  });

/** Throws the error of a server that cannot listen as a Failure. */
export function listenFailure(error: NodeJS.ErrnoException, { host, port }: Pick<ServingOptions, 'host' | 'port'>): never {
  if (error.code === 'EADDRINUSE') throw new Failure('conflict', `Port ${port} is already in use`, 'Use --port 0 for any free port.');
  if (error.code === 'EACCES') throw new Failure('bad-request', `No permission to listen on port ${port}`, 'Use a port from 1024 on.');
  if (error.code === 'EADDRNOTAVAIL' || error.code === 'ENOTFOUND')
    throw new Failure('bad-request', `${host} is not an address of this machine`, 'Use 127.0.0.1, or 0.0.0.0 for all addresses.');
  throw error;
}
