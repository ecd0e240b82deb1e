import { lookup } from 'node:dns/promises';
import { connect } from 'node:net';
import type { RemoteResponse } from '../client/response.ts';
import type { OutgoingRequest } from '../client/transport.ts';
import { controlPath, socketAddressOf } from '../model/addresses.ts';
import { Failure } from '../model/error.ts';
import { pageHeader, pageMark } from '../model/web-page.ts';

/** Time in which a server has to answer, which may share its thread with a test runner, in ms. */
const timeoutMs = 30_000;

/** Turns of the event loop in which a client writes to a socket that was connected before. */
const turns = 2;

/**
 * Sends a request on a new connection, after what this process has started to send: clients look up `localhost`, connect, and write a turn later.
 * Test runners and their tools don't see it, as they would see one of `fetch` or `node:http`. Throws `request-timeout`.
 */
export async function sendAlone({ method, url, headers, body = '' }: OutgoingRequest): Promise<RemoteResponse> {
  const address = new URL(url);
  await lookup('localhost').catch(() => {});
  const tls = address.protocol === 'https:' ? await import('node:tls') : undefined;
  // The caller has a connection to this server already.
  const place = { ...socketAddressOf(address), rejectUnauthorized: false };
  const bytes = Buffer.from(body);
  const head = { ...headers, host: address.host, connection: 'close', 'content-length': String(bytes.length) };
  const lines = Object.entries(head).map(([name, value]) => `${name}: ${value}\r\n`);
  const chunks = await new Promise<Buffer[]>((resolve, reject) => {
    const chunks: Buffer[] = [];
    const socket = tls ? tls.connect(place) : connect(place);
    socket.setTimeout(timeoutMs, () =>
      socket.destroy(new Failure('request-timeout', `${address.host} did not respond within ${timeoutMs / 1000} s`)),
    );
    socket.on('error', reject);
    socket.on('data', (chunk) => chunks.push(chunk));
    socket.on('close', () => resolve(chunks));
    socket.once(tls ? 'secureConnect' : 'connect', async () => {
      for (let turn = 0; turn < turns; turn++) await new Promise((next) => setImmediate(next));
      // In one call of the system.
      socket.cork();
      socket.write(`${method} ${address.pathname}${address.search} HTTP/1.1\r\n${lines.join('')}\r\n`);
      if (bytes.length) socket.write(bytes);
      socket.uncork();
    });
  });
  return responseIn(Buffer.concat(chunks).toString());
}

/** Resolves when the requests have arrived at the server of a calendar that this process started to send before. */
export async function arrivalAt(url: string): Promise<void> {
  const headers = { [pageHeader]: pageMark('api') };
  // What this finds, a call after it finds too.
  await sendAlone({ method: 'GET', url: `${new URL(url).origin}${controlPath}/health`, headers }).catch((error) => {
    if (error instanceof Failure) throw error;
  });
}

/** The response in the bytes of a connection. Our server sends the length of each, and closes the connection. */
function responseIn(text: string): RemoteResponse {
  const end = text.indexOf('\r\n\r\n');
  const [status = '', ...fields] = text.slice(0, Math.max(0, end)).split('\r\n');
  const headers = fields.map((line): [string, string] => {
    const at = line.indexOf(':');
    return [line.slice(0, at).toLowerCase(), line.slice(at + 1).trim()];
  });
  return { status: Number(status.split(' ')[1] ?? 0), headers: Object.fromEntries(headers), body: end < 0 ? '' : text.slice(end + 4) };
}
