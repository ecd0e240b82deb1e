import { Failure } from '../../model/error.ts';
import type { FaultAnswer, FaultInfo, FaultInput } from '../../model/operation-types.ts';
import { faultAnswerOf } from '../../model/operations/faults.ts';
import type { MatchedRequest, ServerPaths } from '../../model/operations/request-match.ts';
import { ActiveFault, type Hit } from './fault.ts';

/** Maximum number of faults: each is compared with every request. */
const maxFaults = 1000;
/** Maximum size of all faults, in characters: each may contain a whole response. */
const maxSize = 16 << 20;

/** Faults as plain data, with what they have counted, and the ID of the next one. */
interface Faults {
  faults: readonly { id: number; input: FaultInput; counts?: ActiveFault['counts'] }[];
  next: number;
}

/** The faults of a server, in the order in which they were added. */
export class FaultList {
  /** The faults that a reset restores. */
  #start: Faults;
  #faults: ActiveFault[] = [];
  /** Functions that end the delays of requests. */
  readonly #delayed = new Set<() => void>();
  #next = 1;

  /** A reset restores `start`. Throws `rest_invalid_param` if one of these is invalid. */
  constructor(
    private readonly place: ServerPaths,
    start: readonly FaultInput[] = [],
  ) {
    this.#start = { faults: start.map((input, i) => ({ id: i + 1, input })), next: start.length + 1 };
    this.reset();
  }

  /** Throws `rest_invalid_param` if members are invalid or exclude each other. */
  add(input: FaultInput): FaultInfo {
    if (this.#faults.length >= maxFaults)
      throw new Failure('conflict', `Too many faults: the maximum is ${maxFaults}`, 'Remove some first.');
    const fault = this.#add(this.#next, input);
    this.#next += 1;
    return fault.info;
  }

  #add(id: number, input: FaultInput, counts?: ActiveFault['counts']): ActiveFault {
    const fault = new ActiveFault(id, input, this.place, counts);
    if (this.#faults.reduce((sum, { size }) => sum + size, fault.size) > maxSize)
      throw new Failure('conflict', `The faults would exceed ${maxSize >> 20} MB in total`, 'Remove some, or use shorter bodies.');
    this.#faults.push(fault);
    return fault;
  }

  /** Throws `not-found`. */
  get(id: number): FaultInfo {
    return this.#find(id).info;
  }

  /** Throws `not-found`. */
  remove(id: number): FaultInfo {
    const fault = this.#find(id);
    this.#faults = this.#faults.filter((each) => each !== fault);
    fault.hold.release();
    return fault.info;
  }

  /** Releases the requests that a fault holds and removes it. Throws `not-found`, and `conflict` if a hold has ended by its limit. */
  release(id: number, response?: FaultAnswer | number): FaultInfo {
    const { hold, info } = this.#find(id);
    hold.release(response === undefined ? undefined : faultAnswerOf(response));
    this.#faults = this.#faults.filter((each) => each.id !== id);
    hold.checkLimit();
    return info;
  }

  /** Resolves with a fault and the number of requests that it has held, when that is reached or after the time in ms. Throws `not-found`, and `bad-request` for a fault that holds none. */
  async arrived(id: number, count: number, timeoutMs: number): Promise<{ info: FaultInfo; arrived: number }> {
    const fault = this.#find(id);
    if (fault.info.then !== 'hold') throw new Failure('bad-request', `Fault ${id} holds no requests`, 'Add one with then: hold.');
    const arrived = await fault.hold.arrived(count, timeoutMs);
    return { info: fault.info, arrived };
  }

  clear(): void {
    for (const { hold } of this.#faults) hold.release();
    this.#faults = [];
  }

  /** Applies the faults to the paths of the place, which have changed. */
  move(): void {
    this.#put(this.state);
  }

  /** Delays a request for a time in ms, until {@link interrupt} at the latest. */
  sleep(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const end = () => {
        clearTimeout(timer);
        this.#delayed.delete(end);
        resolve();
      };
      const timer = setTimeout(end, ms);
      this.#delayed.add(end);
    });
  }

  /** Ends the delays and holds of all requests, whose epoch is over, or whose server stops. */
  interrupt(): void {
    for (const end of [...this.#delayed]) end();
    for (const { hold } of this.#faults) hold.interrupt();
  }

  /** Restores the faults of the start, with their counters and random seeds. */
  reset(): void {
    this.#put(this.#start);
  }

  get state(): Faults {
    return { faults: this.#faults.map(({ id, input, counts }) => ({ id, input, counts: { ...counts } })), next: this.#next };
  }

  #put({ faults, next }: Faults): void {
    this.clear();
    for (const { id, input, counts } of faults) this.#add(id, input, counts && { ...counts });
    this.#next = next;
  }

  /** Restores the faults of a {@link state}; what the current ones hold is released. No ID is used twice. */
  restore(state: Faults): void {
    this.#put({ ...state, next: Math.max(this.#next, state.next) });
  }

  /** Makes the current faults those that a reset restores. */
  makeStart(): void {
    const { faults, next } = this.state;
    this.#start = { faults: faults.map(({ id, input }) => ({ id, input })), next };
  }

  list(): FaultInfo[] {
    return this.#faults.map(({ info }) => info);
  }

  /** Number of faults that are not used up. */
  get active(): number {
    return this.list().filter(({ remaining }) => remaining !== 0).length;
  }

  get isEmpty(): boolean {
    return !this.#faults.length;
  }

  /** The faults of a request, up to the first one that replaces the response. Later ones are not counted. */
  meet(request: MatchedRequest): Hit[] {
    const hits: Hit[] = [];
    for (const fault of this.#faults) {
      const hit = fault.meet(request);
      if (!hit) continue;
      hits.push(hit);
      if (hit.then !== undefined) break;
    }
    return hits;
  }

  #find(id: number): ActiveFault {
    const target = this.#faults.find((fault) => fault.id === id);
    if (target) return target;
    throw new Failure('not-found', `Fault ${id} not found`);
  }
}
