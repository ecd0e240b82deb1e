import { Failure } from '../model/error.ts';
import { isLoopback } from '../model/loopback.ts';
import { maxResponseBytes } from './agents.ts';

const causes: Record<string, string> = {
  ECONNREFUSED: 'connection refused',
  ENOTFOUND: 'host not found',
  EAI_AGAIN: 'DNS lookup failed',
  ECONNRESET: 'connection closed',
  UND_ERR_SOCKET: 'connection closed',
  EHOSTUNREACH: 'no route to host',
  ENETUNREACH: 'no route to host',
  EPRIVATE: 'it redirects to a private address',
  UND_ERR_RES_EXCEEDED_MAX_SIZE: `the response is larger than ${maxResponseBytes} bytes`,
};

/** Returns the failure for a request without a response; other errors, and those of an interruption, unchanged. */
export function unreachable(error: unknown, url: string, { timeout, signal }: { timeout: number; signal: AbortSignal }): unknown {
  if (signal.aborted || error instanceof Failure) return error;
  const { name, message, code = '' } = error as NodeJS.ErrnoException;
  const late = name === 'TimeoutError' || name === 'AbortError' || /TIMEOUT/.test(code);
  const inner = (error as { errors?: NodeJS.ErrnoException[] }).errors?.[0]?.code ?? '';
  const why = late ? `no response within ${timeout / 1000} s` : (causes[code] ?? causes[inner] ?? (message || code));
  const { hostname, port, protocol } = new URL(url);
  // A person who omits the port of this machine means that of calendar serve.
  const noPort = port === '' && protocol === 'http:' && isLoopback(hostname) ? ` Did you mean ${hostname}:8787?` : '';
  const hint = late ? 'Increase --timeout, or try again later.' : `Check the address, and that the server is running.${noPort}`;
  return new Failure('unreachable', `Cannot reach ${new URL(url).origin}: ${why}`, hint);
}
