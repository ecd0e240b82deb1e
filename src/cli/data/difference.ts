import { comparable, isVeiled } from '../../model/copied.ts';
import type { Entry, ResourceName } from '../../model/resource.ts';
import { resources } from '../../model/resources.ts';
import type { Copies } from '../../store/copies.ts';
import type { Desk } from '../../store/open.ts';
import { counterpart } from './pulling.ts';

/** One record that is not the same in two calendars. */
export interface Difference {
  resource: ResourceName;
  /** Its IDs, undefined where it is missing. */
  local?: number;
  remote?: number;
  name: string;
  /** The fields that differ: here, and there. */
  fields: Record<string, { local: unknown; remote: unknown }>;
}

/** Compares two calendars record by record. Resources must come in the order in which they are linked; memory holds IDs, and one page. */
export class Comparison {
  /** The local ID of each remote record, by resource. */
  readonly #locals = new Map<string, number>();

  constructor(
    private readonly desk: Desk,
    private readonly copies: Copies,
  ) {}

  /** The local record that is the same as a remote one, and what differs between them; remembered for the links to it. */
  compare(name: ResourceName, remote: Entry): { local?: Entry; veiled: boolean; fields: Difference['fields'] } {
    const veiled = isVeiled(name, remote);
    const id = counterpart(this.desk, this.copies, name, remote);
    const local = id === undefined ? undefined : this.desk.entry(name, id);
    if (!local) return { veiled, fields: {} };
    this.#locals.set(`${name}:${remote.id}`, local.id);
    const here = comparable(name, local, (_, each) => each);
    const there = comparable(
      name,
      remote,
      (to, each) => this.#locals.get(`${to}:${each}`) ?? this.copies.ofRemote(to, each)?.local ?? `remote ${each}`,
    );
    const names = Object.keys(there).filter((field) => JSON.stringify(here[field]) !== JSON.stringify(there[field]));
    return { local, veiled, fields: Object.fromEntries(names.map((field) => [field, { local: here[field], remote: there[field] }])) };
  }
}

/** What a record is called, for people. */
export const calledIn = (name: ResourceName, entry: Entry): string => String(entry[resources[name].label] ?? '');
