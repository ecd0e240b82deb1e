import type { Message, Messages } from '../../model/operations/messages.ts';

/** Milliseconds after which a reader who has lost the server asks again. */
const retry = 1000;

const textOf = ({ id, type, data }: Message) => `id: ${id}\nevent: ${type}\ndata: ${JSON.stringify(data)}\n\n`;

/** Messages as server-sent events. What brings none is a comment, with the ID from which a reader goes on who comes back. */
export async function* eventStream(all: AsyncIterable<Messages>): AsyncGenerator<string, void, undefined> {
  yield `retry: ${retry}\n\n`;
  for await (const { last, messages } of all) yield messages.length > 0 ? messages.map(textOf).join('') : `: nothing new\nid: ${last}\n\n`;
}
