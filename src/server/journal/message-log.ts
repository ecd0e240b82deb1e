import type { FollowInput, Message, MessageData, Messages, MessageType } from '../../model/operations/messages.ts';

/** So many messages are kept for readers who come back, or read slowly. */
const mostKept = 1000;
/** Milliseconds after which a reader is told that nothing happened, so that neither side takes the other for gone. */
const heartbeat = 15_000;

/** What happened at a server, the last of it kept, for any number of readers. A reader who is slower than what happens is dropped: nothing is kept for anybody. */
export class MessageLog {
  readonly #start: string;
  readonly #kept: { type: MessageType; data: MessageData[MessageType] }[] = [];
  /** How many there were in all. */
  #count = 0;
  #resets = 0;
  #followed = false;
  readonly #waiting = new Set<() => void>();
  #waking = false;

  /** `start` goes into every ID, so that nobody takes messages of another start of the server for those of this one. */
  constructor(start: string) {
    this.#start = start;
  }

  /** Whether anybody has followed yet: nobody asks for what was told before, so that it is not kept. */
  get isFollowed(): boolean {
    return this.#followed;
  }

  /** How often everybody was told to read everything again. */
  get resets(): number {
    return this.#resets;
  }

  /** Tells who follows; those of one turn of the event loop together. */
  publish<Type extends MessageType>(type: Type, data: MessageData[Type]): void {
    if (type === 'reset') this.#resets += 1;
    if (!this.#followed) return;
    this.#kept[this.#count % mostKept] = { type, data };
    this.#count += 1;
    if (this.#waking || this.#waiting.size === 0) return;
    this.#waking = true;
    setImmediate(() => {
      this.#waking = false;
      for (const wake of this.#waiting) wake();
    });
  }

  /** Messages as they come, at once those that the reader missed, until the signal. Ends by itself for a reader who has fallen so far behind that some are gone; whoever comes back is told `missed`. */
  follow({ after, types }: FollowInput = {}, signal?: AbortSignal): AsyncGenerator<Messages, void, undefined> {
    this.#followed = true;
    // From now on, not from when it is first read.
    const known = after === undefined ? this.#count : this.#placeOf(after);
    return this.#from(known ?? this.#count, known === undefined, types, signal);
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
    let told = Number.NEGATIVE_INFINITY;
    while (!signal?.aborted && this.#count - place <= mostKept) {
      for (; place < this.#count; place++) {
        const { type, data } = this.#kept[place % mostKept]!;
        if (types?.includes(type) ?? true) messages.push({ id: this.#idOf(place + 1), type, data } as Message);
      }
      if (messages.length > 0 || performance.now() - told >= heartbeat) {
        told = performance.now();
        yield { last: this.#idOf(place), messages };
        messages = [];
      } else await this.#news(told + heartbeat - performance.now(), signal);
    }
  }

  #idOf(place: number): string {
    return `${this.#start}-${place}`;
  }

  /** How many messages there were up to one; undefined where those after it are not all there. */
  #placeOf(id: string): number | undefined {
    const place = id.startsWith(`${this.#start}-`) ? Number(id.slice(this.#start.length + 1)) : Number.NaN;
    return Number.isInteger(place) && place <= this.#count && this.#count - place <= mostKept ? place : undefined;
  }

  /** Resolves when there may be something new, after some milliseconds, or at the signal. */
  #news(most: number, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve) => {
      const wake = () => {
        clearTimeout(timer);
        this.#waiting.delete(wake);
        signal?.removeEventListener('abort', wake);
        resolve();
      };
      const timer = setTimeout(wake, most).unref();
      this.#waiting.add(wake);
      signal?.addEventListener('abort', wake);
    });
  }
}
