import { expect } from 'vitest';
import type { Call, Json, Reply, Server } from './contract-server.ts';

/** Asserts the response to a hostile request: valid, or a 4xx in the error form. */
export function expectDecent(reply: Pick<Reply, 'status' | 'body'>, what: string): void {
  const said = `${what.slice(0, 300)} -> ${reply.status} ${reply.body.slice(0, 300)}`;
  expect(reply.status >= 200 && reply.status < 500 && !(reply.status >= 300 && reply.status < 400), said).toBe(true);
  if (reply.status < 400) return;
  const failure: Json = reply.body === '' ? undefined : JSON.parse(reply.body);
  if (failure === undefined) return;
  const { status } = failure.code === 'rest_callback_invalid' ? reply : failure.data;
  expect([typeof failure.code, typeof failure.message, status], said).toEqual(['string', 'string', reply.status]);
}

/** Sends a hostile request, and looks at the answer. */
export async function decent(server: Server, call: Call): Promise<Reply> {
  const reply = await server.send(call);
  const method = call.method ?? 'GET';
  if (method !== 'HEAD' || reply.body)
    expectDecent(reply, `${method} ${call.path ?? call.at}?${call.query ?? ''} ${JSON.stringify(call.headers ?? {})}`);
  return reply;
}

/** Asserts that a server still reads and writes. */
export async function expectAlive(server: Server): Promise<void> {
  await server.get('/events');
  const { id } = await server.make('tags', { name: `Alive ${Math.random()}` });
  await server.drop('tags', id);
  expect(({} as Json).polluted).toBeUndefined();
}
