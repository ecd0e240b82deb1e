import { controlPath } from '../model/addresses.ts';
import { Failure } from '../model/error.ts';
import { isObject } from '../model/fields/coerce.ts';
import type { CalendarControl } from '../model/operations/all.ts';
import type { Message, Messages } from '../model/operations/messages.ts';
import { pathMemberOf } from '../model/operations/operation.ts';
import { type OperationCall, operationCalls } from './operation-calls.ts';
import { contentOf, notCalendar, type RemoteResponse } from './response.ts';
import type { OutgoingRequest, Transport } from './transport.ts';

/** The control API of a server, or of one of its worlds, by its address. `token` is the owner's or the control token. */
export function controlAt(origin: string, token: string | undefined, transport: Transport): CalendarControl {
  const authorization: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const methods = Object.values(operationCalls)
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

/** The request that calls an operation: members of the input in the path, then in the query of a GET request or in a JSON body. */
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

/** Reads server-sent events as they come. Ends with the stream, also if it breaks off. */
async function* messagesIn(body: AsyncIterable<Uint8Array>): AsyncGenerator<Messages, void, undefined> {
  const decoder = new TextDecoder();
  let [text, last] = ['', ''];
  for await (const chunk of untilEnd(body)) {
    const blocks = `${text}${decoder.decode(chunk, { stream: true })}`.split('\n\n');
    text = blocks.pop()!;
    const messages: Message[] = [];
    for (const block of blocks) {
      const { id, event, data } = fieldsOf(block);
      last = id ?? last;
      if (event !== undefined && data !== undefined) messages.push({ id: last, type: event, data: JSON.parse(data) } as Message);
    }
    yield { last, messages };
  }
}

/** The fields of an event by name; a comment has an empty name. */
const fieldsOf = (block: string): Record<string, string | undefined> =>
  Object.fromEntries(
    block.split('\n').map((line) => {
      const at = line.indexOf(':');
      return [line.slice(0, at), line.slice(at + 1).trimStart()];
    }),
  );

async function* untilEnd(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void, undefined> {
  const chunks = body[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = await chunks.next().catch(() => undefined);
      if (!next || next.done) return;
      yield next.value;
    }
  } finally {
    await chunks.return?.();
  }
}
