import type { Message, Messages } from '../../model/operations/messages.ts';

/** Time after which a client reconnects, in ms. */
const retryMs = 1000;

const textOf = ({ id, type, data }: Message) => `id: ${id}\nevent: ${type}\ndata: ${JSON.stringify(data)}\n\n`;

/** Formats messages as server-sent events. A batch without messages becomes a comment with the ID to continue from. */
export async function* eventStream(all: AsyncIterable<Messages>): AsyncGenerator<string, void, undefined> {
  yield `retry: ${retryMs}\n\n`;
  for await (const { last, messages } of all) yield messages.length > 0 ? messages.map(textOf).join('') : `: nothing new\nid: ${last}\n\n`;
}
