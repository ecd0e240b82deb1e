import { formatJson } from '../code.tsx';
import { context } from '../context.ts';
import { authorization, userName } from '../server/session.ts';
import type { ApiOperation } from './document.ts';

/** The input of an operation's form: values by parameter, and the text of the body. */
export interface FormInput {
  values: Readonly<Record<string, string>>;
  body: string;
}

/** A request to send. The headers don't include Authorization. */
export interface ApiRequest {
  method: string;
  path: string;
  headers: Record<string, string>;
  body?: string;
}

/** Builds the request from the input of a form. */
export function buildRequest({ method, root, path, parameters, body }: ApiOperation, input: FormInput): ApiRequest {
  const filled = parameters.map((parameter) => ({ ...parameter, value: input.values[parameter.name] ?? '' }));
  const query = new URLSearchParams(filled.filter((each) => each.in === 'query' && each.value).map(({ name, value }) => [name, value]));
  const queryString = String(query).replaceAll('%2C', ',');
  const target = path.replace(/\{(\w+)\}/g, (variable, name) => encodeURIComponent(input.values[name] ?? '') || variable);
  const headers = Object.fromEntries(filled.filter((each) => each.in === 'header' && each.value).map(({ name, value }) => [name, value]));
  const hasBody = body !== undefined && input.body.trim() !== '';
  const fullPath = target === '/' ? root || '/' : root + target;
  return {
    method,
    path: `${fullPath}${queryString && `?${queryString}`}`,
    // Without this header the root of the site returns the page.
    headers: {
      ...(fullPath === '/' && { Accept: 'application/json' }),
      ...headers,
      ...(hasBody && { 'Content-Type': 'application/json' }),
    },
    ...(hasBody && { body: input.body }),
  };
}

/** A response to show. */
export interface ApiResponse {
  status: string;
  ok: boolean;
  /** From the request to the last byte of the response. */
  durationMs: number;
  headers: [name: string, value: string][];
  body: string;
  bytes: number;
}

/** Sends a request as the current user. Throws if the server can't be reached. */
export async function sendRequest({ method, path, headers, body }: ApiRequest): Promise<ApiResponse> {
  const header = authorization();
  const start = performance.now();
  const response = await fetch(path, {
    method,
    headers: { ...headers, ...(header && { Authorization: header }) },
    body,
    cache: 'no-store',
    credentials: 'omit',
  });
  const bytes = new Uint8Array(await response.arrayBuffer());
  const durationMs = performance.now() - start;
  const text = new TextDecoder().decode(bytes);
  return {
    status: `${response.status} ${response.statusText}`.trim(),
    ok: response.ok || response.status === 304,
    durationMs,
    headers: [...response.headers],
    body: formatJson(text),
    bytes: bytes.length,
  };
}

const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
const joinLines = (parts: readonly string[]): string => parts.join(' \\\n  ');

/** Returns code samples for a request of a user by language. They don't contain the user's password. */
export function createSamples(request: ApiRequest, user = userName()): Record<string, string> {
  const { method, path, headers, body } = request;
  const headerOptions = Object.entries(headers).map(([name, value]) => `-H ${quote(`${name}: ${value}`)}`);
  const data = body === undefined ? [] : [`-d ${quote(body)}`];
  const curl = [
    `curl ${method === 'GET' ? '' : `-X ${method} `}${quote(location.origin + path)}`,
    ...(user === undefined ? [] : [`-u ${quote(user)}`]),
    ...headerOptions,
    ...data,
  ];
  const init = {
    ...(method !== 'GET' && { method }),
    ...((user !== undefined || headerOptions.length > 0) && {
      headers: { ...headers, ...(user !== undefined && { Authorization: `Basic ${user}:PASSWORD` }) },
    }),
    ...(body !== undefined && { body }),
  };
  const options = JSON.stringify(init, null, 2).replace(
    /"Basic (.*):PASSWORD"/,
    (_, name) => `'Basic ' + btoa(${JSON.stringify(`${JSON.parse(`"${name}"`)}:PASSWORD`)})`,
  );
  const fetchArguments = `${JSON.stringify(location.origin + path)}${options === '{}' ? '' : `, ${options}`}`;
  // The command accepts a path below the namespace or a full URL.
  const target = path.startsWith(`${context.root}/`) ? path.slice(context.root.length) : location.origin + path;
  const command = [
    `calendar request ${method} ${quote(target)}`,
    ...headerOptions.filter((_, index) => Object.keys(headers)[index] !== 'Content-Type'),
    ...data,
    `--url ${quote(location.origin + context.root)}`,
    ...(user === undefined ? [] : [`--user ${quote(user)}`]),
  ];
  return {
    curl: joinLines(curl),
    calendar: joinLines(command),
    fetch: `const response = await fetch(${fetchArguments});`,
  };
}
