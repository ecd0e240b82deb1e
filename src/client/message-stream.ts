import type { Message, Messages } from '../model/operations/messages.ts';

/** Reads server-sent events as they come. Ends with the stream, also if it breaks off. */
export async function* messagesIn(body: AsyncIterable<Uint8Array>): AsyncGenerator<Messages, void, undefined> {
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

/** Returns the fields of an event by name; a comment has an empty name. */
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
