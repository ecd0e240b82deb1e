import type { RemoteResponse } from '../../client/response.ts';
import type { Input } from '../../model/calendar.ts';
import type { Site } from '../../model/context.ts';
import { taxonomyOf } from '../../model/routes.ts';
import type { RemoteCalendar } from '../sync/remote.ts';
import type { UpstreamMode } from './modes.ts';

/** A live site whose reads a server forwards. */
export interface UpstreamOptions {
  /** Root URL of its API. */
  root: string;
  mode: UpstreamMode;
  /** Age up to which `prefer-local` uses the copy, in ms. */
  maxAgeMs: number;
  /** True to complete the copy in the background. */
  pulls: boolean;
  /** Connects to the site as a visitor. */
  connect(): Promise<Upstream>;
  /** Connects with credentials; absent without any. */
  connectAsUser?(): Promise<Upstream>;
}

/** A connection to the site. */
export type Upstream = RemoteCalendar & {
  read(path: string, query: string): Promise<RemoteResponse>;
  write(method: string, path: string, input: Input | undefined): Promise<RemoteResponse>;
  close(): Promise<void>;
};

/** Returns the addresses that the links of a site start with. They only have to be the same whenever its responses are compared. */
export function addressesOf(root: string, namespace: string): Site {
  const base = root.slice(0, -namespace.length - 1);
  return { root, home: base.replace(/\/wp-json$/, ''), taxonomy: taxonomyOf(namespace) };
}
