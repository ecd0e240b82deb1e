import { Failure } from '../model/error.ts';
import { isObject } from '../model/fields/coerce.ts';
import type { CalendarControl } from '../model/operations/all.ts';
import { controlPath } from '../model/operations/control.ts';
import { pathMemberOf } from '../model/operations/operation.ts';
import { messagesIn } from './message-stream.ts';
import { type OperationCall, type OperationCalls, operationCalls } from './operation-calls.ts';
import { contentOf, notCalendar, type RemoteResponse } from './response.ts';
import type { OutgoingRequest, Transport } from './transport.ts';

/** Returns the control API of a server, or of one of its worlds, by its address. `token` is the owner's or the control token. */
export function controlAt(
  origin: string,
  token: string | undefined,
  transport: Transport,
  calls: OperationCalls = operationCalls,
): CalendarControl {
  const authorization: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const methods = Object.values(calls)
    .flatMap(Object.values<OperationCall>)
    .map((operation) => {
      const stream = operation.file?.form === 'stream';
      const method = (input: object = {}, signal?: AbortSignal) => {
        const request = requestFor(origin, operation, input, authorization);
        return stream ? openStream(request, transport, origin, signal) : send(request, operation, transport, origin);
      };
      return [operation.id, method];
    });
  return Object.fromEntries(methods);
}

type OperationRequest = OutgoingRequest & { address: string };

/** Returns the request that calls an operation: members of the input in the path, then in the query of a GET request or in a JSON body. */
function requestFor(origin: string, operation: OperationCall, input: object, authorization: Record<string, string>): OperationRequest {
  const { method, path } = operation;
  const member = pathMemberOf(operation);
  const inPath = encodeURIComponent(String((input as Record<string, unknown>)[member ?? '']));
  const address = `${origin}${controlPath}${path.replace(`{${member}}`, inPath)}`;
  const rest = Object.entries(input).filter(([name, value]) => name !== member && value !== undefined);
  const headers = { accept: 'application/json', ...authorization };
  if (method !== 'GET')
    return {
      method,
      address,
      url: address,
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify(Object.fromEntries(rest)),
    };
  const query = new URLSearchParams(rest.map(([key, value]): [string, string] => [key, String(value)]));
  return { method, address, url: rest.length ? `${address}?${query}` : address, headers };
}

async function send(
  { address, ...request }: OperationRequest,
  { file }: OperationCall,
  transport: Transport,
  origin: string,
): Promise<unknown> {
  const response = await transport.send(request);
  checkControl(response, origin);
  if (!file || response.status >= 300) return contentOf(response, address);
  const type = (response.headers['content-type'] ?? '').split(';')[0]!.trim();
  if (!file.types.includes(type) || (type === 'application/json' && !isObject(contentOf(response, address))))
    throw notCalendar(response, address);
  return file.form === 'bytes' ? response.bytes : response.body;
}

async function openStream(
  { address, ...request }: OperationRequest,
  transport: Transport,
  origin: string,
  signal: AbortSignal | undefined,
) {
  const response = await transport.open(request, signal);
  if (response.headers['content-type']?.startsWith('text/event-stream')) return messagesIn(response.body);
  const whole = { ...response, body: await response.body.text() };
  checkControl(whole, origin);
  contentOf(whole, address);
  throw notCalendar(whole, address);
}

/** Throws if a server does not let this client use its control API. */
function checkControl({ status, body }: Pick<RemoteResponse, 'status' | 'body'>, origin: string): void {
  if (status !== 404 || (!body.includes('"rest_no_route"') && body.trimStart().startsWith('{'))) return;
  throw new Failure(
    'bad-request',
    `The control API of ${origin} is not available`,
    'It requires a server of this program, either on this machine or started with --control-token. Pass that token in CALENDAR_CONTROL_TOKEN.',
  );
}
