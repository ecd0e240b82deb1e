import { Failure } from '../../model/error.ts';
import { headerName } from '../../model/header.ts';
import { controlPath, isControl } from '../../model/operations/control.ts';
import type { ServingOptions } from './options.ts';

const reject = (message: string, hint: string) => {
  throw new Failure('bad-request', message, hint);
};

/** Throws if a token is not valid in an Authorization header (RFC 6750). */
export function checkToken(token: string | undefined): void {
  if (token === undefined || /^[\w.~+/-]+=*$/.test(token)) return;
  reject('Invalid control token', 'Use letters, digits and -._~+/, like the output of openssl rand -hex 24.');
}

/** Throws for paths, header prefixes, taxonomies, hosts and origins that no request or response can have. */
export function checkNames({ basePath, namespace, headerPrefix, taxonomy, allowHosts = [], cors = [] }: ServingOptions): void {
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

/** Throws the error of a server that cannot listen as a Failure. */
export function listenFailure(error: NodeJS.ErrnoException, { host, port }: Pick<ServingOptions, 'host' | 'port'>): never {
  if (error.code === 'EADDRINUSE') throw new Failure('conflict', `Port ${port} is already in use`, 'Use --port 0 for any free port.');
  if (error.code === 'EACCES') throw new Failure('bad-request', `No permission to listen on port ${port}`, 'Use a port from 1024 on.');
  if (error.code === 'EADDRNOTAVAIL' || error.code === 'ENOTFOUND')
    throw new Failure('bad-request', `${host} is not an address of this machine`, 'Use 127.0.0.1, or 0.0.0.0 for all addresses.');
  throw error;
}
