import { machine } from '../../machine.ts';
import { hexText, randomBytes } from '../../model/formats/bytes.ts';
import type { FollowInput, Message, MessageData, Messages, MessageType } from '../../model/operations/messages.ts';

/** Maximum number of messages that are kept for slow clients, and for those that connect again. */
const maxKept = 1000;
/** Time after which a client gets an empty batch, so that neither side takes the other for gone. */
const heartbeatMs = 15_000;

/** The latest messages of a server, for any number of clients. Nothing is queued for a client: its stream ends when it falls too far behind. */
export class MessageLog {
  readonly #messages: { type: MessageType; data: MessageData[MessageType]; hidden?: boolean }[] = [];
  /** Number of all messages, including those no longer kept. */
  #count = 0;
  #resets = 0;
  #followed = false;
  readonly #waiting = new Set<() => void>();
  #waking = false;
  #closed = false;

  /** Part of every ID, which tells messages of different starts of a server apart. Created on demand: loading `crypto` takes time. */
  #start: string | undefined;

  /** `start` is random by default. */
  constructor(start?: string) {
    this.#start = start;
  }

  get #startId(): string {
    this.#start ??= hexText(randomBytes(6));
    return this.#start;
  }

  /** True once a client has followed. Earlier messages are not kept. */
  get isFollowed(): boolean {
    return this.#followed;
  }

  /** Number of `reset` messages. */
  get resets(): number {
    return this.#resets;
  }

  /** Sends a message to all clients; those of one turn of the event loop arrive together. `isHidden` returns whether visitors can't read the record. */
  publish<Type extends MessageType>(type: Type, data: MessageData[Type], isHidden?: () => boolean): void {
    if (type === 'reset') this.#resets += 1;
    if (!this.#followed) return;
    this.#messages[this.#count % maxKept] = isHidden?.() ? { type, data, hidden: true } : { type, data };
    this.#count += 1;
    if (this.#waking || this.#waiting.size === 0) return;
    this.#waking = true;
    void machine.nextTurn().then(() => {
      this.#waking = false;
      for (const wake of this.#waiting) wake();
    });
  }

  /** Ends all streams. */
  close(): void {
    this.#closed = true;
    for (const wake of this.#waiting) wake();
  }

  /** Messages as they come, those that the client missed first, until the signal. Ends if the client falls so far behind that some are gone; the next stream starts with `missed`. */
  follow({ after, types }: FollowInput = {}, signal?: AbortSignal): AsyncGenerator<Messages, void, undefined> {
    this.#followed = true;
    // The position now, not at the first read.
    const index = after === undefined ? this.#count : this.#placeOf(after);
    return this.#from(index ?? this.#count, index === undefined, types, signal);
  }

  async *#from(
    start: number,
    isMissed: boolean,
    types: readonly MessageType[] | undefined,
    signal: AbortSignal | undefined,
  ): AsyncGenerator<Messages, void, undefined> {
    let place = start;
    const missed: Message = { id: this.#idOf(place), type: 'reset', data: { reason: 'missed' } };
    let messages: Message[] = isMissed && (types?.includes('reset') ?? true) ? [missed] : [];
    let lastSent = Number.NEGATIVE_INFINITY;
    while (!signal?.aborted && !this.#closed && this.#count - place <= maxKept) {
      for (; place < this.#count; place++) {
        const message = this.#messages[place % maxKept]!;
        if (types?.includes(message.type) ?? true) messages.push({ id: this.#idOf(place + 1), ...message } as Message);
      }
      if (messages.length > 0 || performance.now() - lastSent >= heartbeatMs) {
        lastSent = performance.now();
        yield { last: this.#idOf(place), messages };
        messages = [];
      } else await this.#news(lastSent + heartbeatMs - performance.now(), signal);
    }
  }

  #idOf(place: number): string {
    return `${this.#startId}-${place}`;
  }

  /** The index after a message; undefined if messages after it are gone. */
  #placeOf(id: string): number | undefined {
    const digits = id.startsWith(`${this.#startId}-`) ? id.slice(this.#startId.length + 1) : '';
    const place = /^\d+$/.test(digits) ? Number(digits) : Number.NaN;
    return place <= this.#count && this.#count - place <= maxKept ? place : undefined;
  }

  /** Resolves on a new message, after a timeout, or at the signal. */
  #news(timeoutMs: number, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve) => {
      const wake = () => {
        clearTimeout(timer);
        this.#waiting.delete(wake);
        signal?.removeEventListener('abort', wake);
        resolve();
      };
      const timer = setTimeout(wake, timeoutMs);
      timer.unref?.();
      this.#waiting.add(wake);
      signal?.addEventListener('abort', wake);
    });
  }
}
