import { type CalendarControl, controlPath, type Operation, operations } from '../model/control.ts';
import { Failure } from '../model/error.ts';
import { contentOf, type RemoteResponse } from './response.ts';
import type { Transport } from './transport.ts';

/** Control of a calendar on a server, by its address without any path. `token` is that of its owner, or the one that it was given for this. */
export function controlAt(origin: string, token: string | undefined, transport: Transport): CalendarControl {
  const perform = async (operation: Operation, input: Record<string, unknown> = {}): Promise<unknown> => {
    const { method, path } = operation;
    const { name, ...rest } = input;
    const named = path.includes('{name}');
    const address = `${origin}${controlPath}${path.replace('{name}', encodeURIComponent(String(name)))}`;
    const given = Object.entries(named ? rest : input).filter(([, value]) => value !== undefined);
    const query =
      method === 'GET' && given.length
        ? `?${new URLSearchParams(given.map(([key, value]): [string, string] => [key, String(value)]))}`
        : '';
    const answer = await transport.send({
      method,
      url: address + query,
      headers: {
        accept: 'application/json',
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(method === 'GET' ? {} : { 'content-type': 'application/json' }),
      },
      body: method === 'GET' ? undefined : JSON.stringify(Object.fromEntries(given)),
    });
    refuseOthers(answer, origin);
    return operation === operations.export && answer.status < 300 ? answer.body : contentOf(answer, address);
  };
  return Object.fromEntries(
    Object.entries(operations).map(([name, operation]) => [name, (input?: Record<string, unknown>) => perform(operation, input)]),
  ) as unknown as CalendarControl;
}

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
