import { indented } from '../code.tsx';
import { context } from '../context.ts';
import { authorization, userName } from '../server/session.ts';
import type { ApiOperation } from './document.ts';

/** What somebody wrote into the form of an operation: by parameter, and the text of the body. */
export interface Filled {
  values: Readonly<Record<string, string>>;
  body: string;
}

/** A request as it is sent: a path with its query, headers but for who asks, and a body. */
export interface ApiRequest {
  method: string;
  path: string;
  headers: Record<string, string>;
  body?: string;
}

/** The request that a filled form stands for. */
export function requestOf({ method, root, path, parameters, body }: ApiOperation, filled: Filled): ApiRequest {
  const given = parameters.map((parameter) => ({ ...parameter, value: filled.values[parameter.name] ?? '' }));
  const query = new URLSearchParams(given.filter((each) => each.in === 'query' && each.value).map(({ name, value }) => [name, value]));
  const text = String(query).replaceAll('%2C', ',');
  const target = path.replace(/\{(\w+)\}/g, (variable, name) => encodeURIComponent(filled.values[name] ?? '') || variable);
  const headers = Object.fromEntries(given.filter((each) => each.in === 'header' && each.value).map(({ name, value }) => [name, value]));
  const sends = body !== undefined && filled.body.trim() !== '';
  const at = target === '/' ? root || '/' : root + target;
  return {
    method,
    path: `${at}${text && `?${text}`}`,
    // The root of the site is this page to who does not ask for JSON.
    headers: { ...(at === '/' && { Accept: 'application/json' }), ...headers, ...(sends && { 'Content-Type': 'application/json' }) },
    ...(sends && { body: filled.body }),
  };
}

/** What a server answered, and how long it took from the request to the last byte, in milliseconds. */
export interface ApiAnswer {
  status: string;
  ok: boolean;
  took: number;
  headers: [name: string, value: string][];
  body: string;
  bytes: number;
}

/** Sends a request as whoever is signed in. Fails where the server cannot be reached. */
export async function send({ method, path, headers, body }: ApiRequest): Promise<ApiAnswer> {
  const header = authorization();
  const began = performance.now();
  const response = await fetch(path, {
    method,
    headers: { ...headers, ...(header && { Authorization: header }) },
    body,
    cache: 'no-store',
    credentials: 'omit',
  });
  const bytes = new Uint8Array(await response.arrayBuffer());
  const took = performance.now() - began;
  const text = new TextDecoder().decode(bytes);
  return {
    status: `${response.status} ${response.statusText}`.trim(),
    ok: response.ok || response.status === 304,
    took,
    headers: [...response.headers],
    body: indented(text),
    bytes: bytes.length,
  };
}

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
const lines = (parts: readonly string[]): string => parts.join(' \\\n  ');

/** The same request in other words, by what speaks them. A password is asked for there, not shown here. */
export function samplesOf(request: ApiRequest): Record<string, string> {
  const { method, path, headers, body } = request;
  const user = userName();
  const given = Object.entries(headers).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`);
  const data = body === undefined ? [] : [`-d ${quoted(body)}`];
  const curl = [
    `curl ${method === 'GET' ? '' : `-X ${method} `}${quoted(location.origin + path)}`,
    ...(user === undefined ? [] : [`-u ${quoted(user)}`]),
    ...given,
    ...data,
  ];
  const init = {
    ...(method !== 'GET' && { method }),
    ...((user !== undefined || given.length > 0) && {
      headers: { ...headers, ...(user !== undefined && { Authorization: `Basic ${user}:PASSWORD` }) },
    }),
    ...(body !== undefined && { body }),
  };
  const options = JSON.stringify(init, null, 2).replace(
    /"Basic (.*):PASSWORD"/,
    (_, name) => `'Basic ' + btoa(${JSON.stringify(`${JSON.parse(`"${name}"`)}:PASSWORD`)})`,
  );
  const called = `${JSON.stringify(location.origin + path)}${options === '{}' ? '' : `, ${options}`}`;
  // The command takes a path below the namespace, or a whole address.
  const target = path.startsWith(`${context.root}/`) ? path.slice(context.root.length) : location.origin + path;
  const command = [
    `calendar request ${method} ${quoted(target)}`,
    ...given.filter((_, at) => Object.keys(headers)[at] !== 'Content-Type'),
    ...data,
    `--url ${quoted(location.origin + context.root)}`,
    ...(user === undefined ? [] : [`--user ${quoted(user)}`]),
  ];
  return {
    curl: lines(curl),
    calendar: lines(command),
    fetch: `const response = await fetch(${called});`,
  };
}
