import { connect } from 'node:net';
import { controlPath } from '../model/addresses.ts';
import { pageHeader, pageMark } from '../model/web-page.ts';

/** Time after which an unresponsive server is not waited for, in ms. */
const timeoutMs = 1000;

/** Sends a request on a new connection and waits for the response. Test runners and their tools don't see it, as they would see one of `fetch` or `node:http`. */
async function roundTrip({ protocol, hostname, host, port }: URL): Promise<void> {
  const tls = protocol === 'https:' ? await import('node:tls') : undefined;
  // It sends no secret, so that any certificate is good.
  const place = { port: Number(port || (tls ? 443 : 80)), host: hostname.replace(/^\[|\]$/g, ''), rejectUnauthorized: false };
  await new Promise<void>((resolve) => {
    const socket = tls ? tls.connect(place) : connect(place);
    socket.end(`GET ${controlPath}/health HTTP/1.1\r\nHost: ${host}\r\n${pageHeader}: ${pageMark('api')}\r\nConnection: close\r\n\r\n`);
    socket.setTimeout(timeoutMs, () => socket.destroy());
    socket.on('error', () => {});
    socket.on('close', () => resolve());
    socket.resume();
  });
}

/** Turns of the event loop in which calls without a socket reach the calendar. */
const turns = 5;

/** Resolves when the requests have arrived that this process started to send before: a reset after it ends them. `isListening` is false for a calendar without a socket. */
export async function arrivalOfSentRequests(url: string, isListening: boolean): Promise<void> {
  const address = new URL(url);
  if (!isListening) for (let i = 0; i < turns; i++) await new Promise((resolve) => setImmediate(resolve));
  if (!isListening) return;
  // What was sent before arrives before this. The second one gives clients the time to write to a new connection.
  for (let i = 0; i < 2; i++) await roundTrip(address);
}
