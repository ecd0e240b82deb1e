import http from 'node:http';
import type { ComparedResponse } from './comparison.ts';
import { type Exchange, recordedUsers } from './exchange.ts';

/** Sends recorded requests to a server, one after the other, with the values that earlier responses gave. */
export class Requester {
  readonly #root: URL;
  readonly #agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
  readonly #captured: Record<string, unknown> = {};
  readonly #handler: ((request: Request) => Promise<Response>) | undefined;

  /** Sends over a socket, unless there is a handler. */
  constructor(root: string, handler?: (request: Request) => Promise<Response>) {
    this.#root = new URL(root);
    this.#handler = handler;
  }

  close(): void {
    this.#agent.destroy();
  }

  remember(values: Record<string, unknown>): void {
    Object.assign(this.#captured, values);
  }

  async send(exchange: Exchange): Promise<ComparedResponse> {
    const response = await this.#request(exchange);
    for (const [name, path] of Object.entries(exchange.capture ?? {})) {
      const value = path.split('.').reduce<unknown>((at, key) => (at as Record<string, unknown> | null)?.[key], response.body);
      if (value !== undefined) this.#captured[name] = value;
    }
    return response;
  }

  #request({ method, path, query, auth, type, body, headers }: Exchange): Promise<ComparedResponse> {
    const { host, hostname, port, pathname } = this.#root;
    const text = String(this.#fill(query ?? ''));
    const search = text ? `?${encodeURI(text).replace(/%25([\dA-F]{2})/gi, '%$1')}` : '';
    const payload =
      type === 'json'
        ? JSON.stringify(this.#fill(body))
        : type === 'form'
          ? toForm(this.#fill(body) as object)
          : (body as string | undefined);
    const contentType = type === 'json' ? 'application/json' : type === 'form' ? 'application/x-www-form-urlencoded' : undefined;
    const sent: Record<string, string> = {
      Host: host,
      Accept: 'application/json',
      ...(contentType && { 'Content-Type': contentType }),
      ...(auth && { Authorization: toBasic(auth) }),
      ...(this.#fill(headers ?? {}) as object),
    };
    const address = `${pathname}${this.#fill(path)}${search}`;
    if (this.#handler)
      return this.#handled(this.#handler, new Request(this.#root.origin + address, { method, headers: sent, body: payload }));
    if (payload !== undefined) sent['Content-Length'] = String(Buffer.byteLength(payload));
    return new Promise((resolve, reject) => {
      const options = { host: hostname, port, method, path: address, headers: sent, agent: this.#agent };
      const request = http.request(options, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () => {
          const { statusCode: status = 0, headers } = response;
          resolve({ status, headers: headers as Record<string, string>, body: parseBody(Buffer.concat(chunks).toString()) });
        });
      });
      request.on('error', reject);
      request.end(payload);
    });
  }

  async #handled(handler: (request: Request) => Promise<Response>, request: Request): Promise<ComparedResponse> {
    const response = await handler(request);
    return { status: response.status, headers: Object.fromEntries(response.headers), body: parseBody(await response.text()) };
  }

  /** Returns a value with `{{name}}` replaced by what was captured under that name. */
  #fill(value: unknown): unknown {
    if (typeof value === 'string') {
      const whole = /^\{\{([\w.]+)\}\}$/.exec(value)?.[1];
      if (whole !== undefined) return this.#valueOf(whole);
      return value.replace(/\{\{([\w.]+)(:s)?\}\}/g, (_, name) => String(this.#valueOf(name)));
    }
    if (Array.isArray(value)) return value.map((item) => this.#fill(item));
    if (value !== null && typeof value === 'object')
      return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, this.#fill(item)]));
    return value;
  }

  #valueOf(name: string): unknown {
    if (name === 'home') return this.#root.origin;
    if (name === 'root') return this.#root.href;
    if (name in this.#captured) return this.#captured[name];
    throw new Error(`No earlier response gave ${name}`);
  }
}

function parseBody(text: string): unknown {
  try {
    return text ? JSON.parse(text) : null;
  } catch {
    return text;
  }
}

function toBasic(auth: string): string {
  const [name, password] = auth.split(':');
  const known = recordedUsers.find((user) => user.name === name)?.password;
  return `Basic ${Buffer.from(`${name}:${password ?? known ?? 'password'}`).toString('base64')}`;
}

/** Encodes nested values as PHP reads them from a form. */
function toForm(fields: object): string {
  const pairs: string[] = [];
  const add = (name: string, value: unknown): void => {
    if (Array.isArray(value)) for (const [index, item] of value.entries()) add(`${name}[${typeof item === 'object' ? index : ''}]`, item);
    else if (value !== null && typeof value === 'object') for (const [key, item] of Object.entries(value)) add(`${name}[${key}]`, item);
    else pairs.push(`${encodeURIComponent(name)}=${encodeURIComponent(String(value ?? ''))}`);
  };
  for (const [name, value] of Object.entries(fields)) add(name, value);
  return pairs.join('&');
}
