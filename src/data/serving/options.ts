import { controlPath, isControl } from '../../model/addresses.ts';
import { Failure } from '../../model/error.ts';
import { headerName } from '../../model/grammar.ts';
import { type GivenOptions, serverOptions } from '../../model/server-options.ts';
import type { Server } from '../../server/context.ts';
import type { Hooks } from '../../server/hooks/functions.ts';
import type { HandlerOptions, ImageFiles, RequestEvent } from '../../server/http.ts';
import type { Listening } from '../../server/listen.ts';
import type { Store } from '../../store/calendar.ts';
import type { OperationContext, OperationParts } from '../operations/context.ts';
import type { World, WorldOptions } from '../world/world.ts';

type CopyState = Required<OperationContext>['followed'];

/** The copy of a site that a server keeps up to date in the background. The server answers from its own calendar. */
export interface FollowedCopy extends CopyState {
  /** Resolves when the copy can be served: at once if the calendar has records, else when the first pull is complete. Rejects if that fails and is not tried again. */
  readonly ready: Promise<void>;
  /** Rejects if nothing can be served because the first pull failed, or if the file may have the copy of another calendar. */
  readonly failed: Promise<never>;
  /** True until the namespace of the site is known, which becomes that of the server. */
  readonly isUnnamed: boolean;
  /** Makes the calendar the copy of the site. Throws `bad-request` if it can't be written. */
  begin(): Promise<void>;
  /** Starts to pull. */
  start(): void;
  close(): Promise<void>;
}

/** Parts of a server that only Node has. */
export interface NodeParts extends OperationParts {
  /** Reads the certificate of a server, if any. Returns the function that starts to listen. */
  listenerOf(options: ServingOptions): Promise<(server: Server, allowHosts: readonly string[]) => Promise<Listening>>;
  /** Prepares the folder of uploaded images. Throws `bad-request` if it can't be used. */
  imagesIn(folder: string): Promise<ImageFiles>;
  follow(world: World, site: Required<ServingOptions>['pull'], options: ServingOptions): Promise<FollowedCopy>;
}

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
  /** Absent in a browser, where only `listen: false` is possible. */
  node?: NodeParts;
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
