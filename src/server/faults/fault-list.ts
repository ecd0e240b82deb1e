import { Failure } from '../../model/error.ts';
import type { FaultInfo, FaultInput } from '../../model/operations/faults.ts';
import type { MatchedRequest } from '../../model/operations/request-match.ts';
import { ActiveFault, type Hit, type Place } from './fault.ts';

/** How many faults a server has at the most: each is held against every request. */
const mostFaults = 1000;
/** Characters of what all of them say together: a whole answer may be given with each. */
const mostText = 16 << 20;

/** The faults of a server, in the order in which they were added. */
export class FaultList {
  readonly #place: Place;
  readonly #start: readonly FaultInput[];
  #faults: ActiveFault[] = [];
  #next = 1;

  /** `start` is what a reset brings back. Fails with `rest_invalid_param` where one of these cannot be. */
  constructor(place: Place, start: readonly FaultInput[] = []) {
    this.#place = place;
    this.#start = start;
    this.reset();
  }

  /** Fails with `rest_invalid_param` where parts exclude each other or cannot be read. */
  add(input: FaultInput): FaultInfo {
    if (this.#faults.length >= mostFaults)
      throw new Failure('conflict', `there are ${mostFaults} faults already`, {}, 'Take some away first.');
    const fault = new ActiveFault(this.#next, input, this.#place);
    if (this.#faults.reduce((sum, { size }) => sum + size, fault.size) > mostText)
      throw new Failure(
        'conflict',
        `the faults would hold more than ${mostText >> 20} MB together`,
        {},
        'Take some away, or give shorter bodies.',
      );
    this.#next += 1;
    this.#faults.push(fault);
    return fault.info;
  }

  /** Fails with `not-found`. */
  get(id: number): FaultInfo {
    return this.#find(id).info;
  }

  /** Fails with `not-found`. */
  remove(id: number): FaultInfo {
    const fault = this.#find(id);
    this.#faults = this.#faults.filter((each) => each !== fault);
    return fault.info;
  }

  clear(): void {
    this.#faults = [];
  }

  /** As at the start: those of the start, uncounted, their chance from its seed again. */
  reset(): void {
    this.#faults = [];
    this.#next = 1;
    for (const input of this.#start) this.add(input);
  }

  list(): FaultInfo[] {
    return this.#faults.map(({ info }) => info);
  }

  get isEmpty(): boolean {
    return !this.#faults.length;
  }

  /** What befalls a request: every fault that meets it, up to the first with another answer; of later ones nothing is counted. */
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
    const found = this.#faults.find((fault) => fault.id === id);
    if (found) return found;
    throw new Failure('not-found', `there is no fault ${id}`);
  }
}
