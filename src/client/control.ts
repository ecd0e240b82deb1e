import { Failure } from '../model/error.ts';
import { type CalendarControl, controlPath, type Operation, operations, partOf } from '../model/operations/control.ts';
import { messagesIn } from './message-stream.ts';
import { contentOf, isRecord, notCalendar, type RemoteResponse } from './response.ts';
import type { Sending, Transport } from './transport.ts';

/** Control of a calendar on a server, by its address without any path. `token` is that of its owner, or the one that it was given for this. */
export function controlAt(origin: string, token: string | undefined, transport: Transport): CalendarControl {
  const headers = { accept: 'application/json', ...(token === undefined ? {} : { authorization: `Bearer ${token}` }) };
  const perform = async (operation: Operation, input: object = {}): Promise<unknown> => {
    const { address, ...sending } = sendingOf(operation, input);
    const answer = await transport.send(sending);
    refuseOthers(answer, origin);
    const file = answer.status < 300 ? files.get(operation) : undefined;
    if (!file) return contentOf(answer, address);
    const type = answer.headers['content-type'] ?? '';
    if (!file.types.test(type) || (isJson(type) && !isRecord(contentOf(answer, address)))) throw notCalendar(answer, address);
    return answer[file.as];
  };
  const sendingOf = (operation: Operation, input: object): Sending & { address: string } => {
    const { method, path } = operation;
    const part = partOf(operation);
    const inPath = encodeURIComponent(String((input as Record<string, unknown>)[part ?? '']));
    const address = `${origin}${controlPath}${path.replace(`{${part}}`, inPath)}`;
    const given = Object.entries(input).filter(([name, value]) => name !== part && value !== undefined);
    if (method !== 'GET') {
      const typed = { ...headers, 'content-type': 'application/json' };
      return { method, address, url: address, headers: typed, body: JSON.stringify(Object.fromEntries(given)) };
    }
    const query = new URLSearchParams(given.map(([key, value]): [string, string] => [key, String(value)]));
    return { method, address, url: given.length ? `${address}?${query}` : address, headers };
  };
  const events: CalendarControl['events'] = async (input = {}, signal) => {
    const { address, ...sending } = sendingOf(operations.events, input);
    const answer = await transport.open(sending, signal);
    if (answer.headers['content-type']?.startsWith('text/event-stream')) return messagesIn(answer.body);
    const whole = { ...answer, body: await answer.body.text() };
    refuseOthers(whole, origin);
    contentOf(whole, address);
    throw notCalendar(whole, address);
  };
  const performed = Object.fromEntries(
    Object.entries(operations).map(([name, operation]) => [name, (input?: object) => perform(operation, input)]),
  ) as unknown as CalendarControl;
  return { ...performed, events };
}

/** The operations whose answers are files as they are: a text, or bytes. */
const files = new Map<Operation, { as: 'body' | 'bytes'; types: RegExp }>([
  [operations.export, { as: 'body', types: /^(application\/(json|x-ndjson)|text\/(csv|calendar))\b/ }],
  [operations.snapshotFile, { as: 'bytes', types: /^application\/vnd\.sqlite3\b/ }],
]);

const isJson = (type: string) => type.startsWith('application/json');

/** Fails where an answer comes from a server that offers no control, or not to us. */
function refuseOthers(answer: RemoteResponse, origin: string): void {
  const { status, body } = answer;
  if (status !== 404 || (!body.includes('"rest_no_route"') && body.trimStart().startsWith('{'))) return;
  throw new Failure(
    'bad-request',
    `${origin} does not let its calendar be controlled`,
    {},
    'It has to be a server of this program, on this machine or with --control-token, which is then given in CALENDAR_CONTROL_TOKEN.',
  );
}
