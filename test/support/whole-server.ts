import { defaultServing } from '../../src/data/serving/options.ts';
import { type RunningServer, serveCalendar } from '../../src/data/serving/serve.ts';
import { moment } from './transcript.ts';
import { unconnected } from './unconnected.ts';

/** A calendar in memory, served as `calendar serve` does, whose clocks stand still. */
export interface WholeServer extends RunningServer {
  /** Sends a request: a path that starts with `/_calendar` or `//` is one of the server, any other one of the API. */
  call(method: string, path: string, json?: unknown, headers?: Record<string, string>): Promise<Response>;
  /** Sends a request, and reads what it answers. */
  json<T = unknown>(method: string, path: string, json?: unknown, headers?: Record<string, string>): Promise<T>;
}

/** Serves a calendar on a free port. */
export async function wholeServer(options: Partial<Parameters<typeof serveCalendar>[0]> = {}): Promise<WholeServer> {
  const served = await serveCalendar({
    ...defaultServing,
    port: 0,
    timeout: 1000,
    open: true,
    durability: 'none',
    system: () => Date.parse(moment),
    node: unconnected,
    ...options,
  });
  const call: WholeServer['call'] = (method, path, json, headers = {}) =>
    fetch(/^\/[_/]/.test(path) ? `${served.listening.url}${path.replace(/^\/\//, '/')}` : `${served.root}${path}`, {
      method,
      headers: { ...(json === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
      body: json === undefined ? undefined : JSON.stringify(json),
    });
  return { ...served, call, json: async <T>(...sent: Parameters<typeof call>) => (await (await call(...sent)).json()) as T };
}
