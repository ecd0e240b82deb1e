import { useState } from 'preact/hooks';
import { context } from '../context.ts';
import { Code, formatJson } from '../parts/code.tsx';
import { authorization, controlAuthorization, signedInName } from '../server/session.ts';

/** A request to send. The headers don't include Authorization. */
export interface ApiRequest {
  method: string;
  path: string;
  headers: Record<string, string>;
  body?: string;
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
  const header = path.startsWith('/_calendar/') ? controlAuthorization() : authorization();
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

/** Code samples for a request of a user by language. They don't contain the user's password. */
export function createSamples(request: ApiRequest, user = signedInName(), operationId?: string): Record<string, string> {
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
  const client = operationId && clientSample(request, operationId, user);
  return {
    ...(client && { client }),
    python: pythonSample(request, user),
    php: phpSample(request, user),
    curl: joinLines(curl),
    calendar: joinLines(command),
    fetch: `const response = await fetch(${fetchArguments});`,
  };
}

const urlOf = ({ path }: ApiRequest) => JSON.stringify(location.origin + path);

function pythonSample(request: ApiRequest, user: string | undefined): string {
  const { method, headers, body } = request;
  const options = [
    ...(user === undefined ? [] : [`auth=(${JSON.stringify(user)}, "PASSWORD")`]),
    ...(Object.keys(headers).length ? [`headers=${JSON.stringify(headers)}`] : []),
    ...(body === undefined ? [] : [`data=${JSON.stringify(body)}.encode()`]),
  ];
  const values = [JSON.stringify(method), urlOf(request), ...options];
  return `import requests\n\nresponse = requests.request(${values.join(', ')})\nprint(response.status_code, response.text)`;
}

const phpText = (text: string): string => `'${text.replace(/[\\']/g, '\\$&')}'`;

function phpSample(request: ApiRequest, user: string | undefined): string {
  const { method, path, headers, body } = request;
  const lines = Object.entries(headers).map(([name, value]) => phpText(`${name}: ${value}`));
  if (user !== undefined) lines.push(`'Authorization: Basic ' . base64_encode(${phpText(`${user}:PASSWORD`)})`);
  const options = [
    `'method' => ${phpText(method)}`,
    ...(lines.length ? [`'header' => [${lines.join(', ')}]`] : []),
    ...(body === undefined ? [] : [`'content' => ${phpText(body)}`]),
    `'ignore_errors' => true`,
  ];
  return `<?php\n$context = stream_context_create(['http' => [\n  ${options.join(',\n  ')},\n]]);\necho file_get_contents(${phpText(location.origin + path)}, false, $context);`;
}

const clientActions: Record<string, string> = { GET: 'get', PATCH: 'update', DELETE: 'delete' };

/** The call of the TypeScript client; undefined for operations that have no method there. */
function clientSample({ method, path, body }: ApiRequest, operationId: string, user: string | undefined): string | undefined {
  const [route = '', query = ''] = path.slice(context.root.length).split('?');
  const [, resource, slug, id] = /^\/(\w+)(?:\/by-slug\/([^/]+)|\/(\d+))?$/.exec(route) ?? [];
  if (!path.startsWith(context.root) || !resource || /^(put|post)/.test(operationId)) return undefined;
  const ref = slug === undefined ? id : JSON.stringify(slug);
  const action = ref === undefined ? (method === 'GET' ? 'list' : 'create') : clientActions[method];
  if (!action || !/^(list|create|get|update|delete)/.test(operationId)) return undefined;
  const parameters = query && JSON.stringify(Object.fromEntries(new URLSearchParams(query)));
  const values = [ref, parameters || body].filter(Boolean).join(', ');
  const options = user === undefined ? '' : `, { user: { name: ${JSON.stringify(user)}, password: 'PASSWORD' } }`;
  const connect = `const calendar = await connectCalendar(${JSON.stringify(location.origin)}${options});`;
  return `import { connectCalendar } from 'local-calendar';\n\n${connect}\nconst result = await calendar.${resource}.${action}(${values});`;
}

const languages: Record<string, string> = {
  curl: 'curl',
  fetch: 'JavaScript',
  client: 'TypeScript client',
  python: 'Python',
  php: 'PHP',
  calendar: 'calendar',
};

/** A request in several languages, one of which is shown. */
export function Samples({ request, operationId }: { request: ApiRequest; operationId?: string }) {
  const [selected, setSelected] = useState('curl');
  const samples = createSamples(request, undefined, operationId);
  const name = samples[selected] === undefined ? 'curl' : selected;
  return (
    <section aria-label="Code samples">
      <h2>Code</h2>
      <fieldset class="views scrolling-row" aria-label="Language">
        {Object.keys(languages)
          .filter((each) => samples[each] !== undefined)
          .map((each) => (
            <button key={each} type="button" class="views-item" aria-pressed={each === name} onClick={() => setSelected(each)}>
              {languages[each]}
            </button>
          ))}
      </fieldset>
      <Code label={`${languages[name]} sample`} text={samples[name]!} />
    </section>
  );
}
