import { setTimeout as sleep } from 'node:timers/promises';
import type { ResourceName } from '../../model/calendar.ts';

/** What a server answered. Header names are in lower case; `json` is undefined where the body is none. */
export interface CheckedAnswer {
  status: number;
  headers: Record<string, string>;
  // biome-ignore lint/suspicious/noExplicitAny: what another server answers may be anything
  json: any;
}
// biome-ignore lint/suspicious/noExplicitAny: what another server answers may be anything
export type Json = any;

/** One thing that a server does as the specification says, or not. */
export interface Check {
  /** Stays the same from version to version. */
  name: string;
  /** What holds, as a sentence without its full stop. */
  about: string;
  /** Where the documentation of the API says it, as titles of sections with its words in quotes; what that leaves open, as it was observed. */
  specification: string;
  /** It makes records, and takes them away again. */
  writes?: true;
  /** Fails with {@link Wrong} where it does not hold, with {@link Skipped} where it cannot be told. */
  run(server: CheckedServer): Promise<void>;
}

/** Why a check does not hold. */
export class Wrong extends Error {}
/** Why a check cannot be told. */
export class Skipped extends Error {}

/** Fails with what is wrong, unless it holds. */
export function expect(holds: unknown, wrong: string): asserts holds {
  if (!holds) throw new Wrong(wrong);
}

/** Fails with both, unless they are equal. */
export function same(actual: unknown, expected: unknown, what: string): void {
  const [a, b] = [JSON.stringify(actual), JSON.stringify(expected)];
  if (a !== b) throw new Wrong(`${what} is ${a?.slice(0, 200) ?? 'missing'}, not ${b?.slice(0, 200)}`);
}

/** Sends a request below the namespace, or to a whole path. Fails where there is no answer. */
export type Ask = (method: string, path: string, query?: string, body?: unknown) => Promise<CheckedAnswer>;

/** A server as checks ask it. */
export class CheckedServer {
  /** The records that were made and not yet taken away, the newest last. */
  readonly #made: { resource: string; id: number }[] = [];
  #count = 0;

  constructor(
    readonly ask: Ask,
    /** What the names of records start with that checks make; nobody else uses it. */
    readonly mark: string,
  ) {}

  /** A request that succeeds. */
  async get(path: string, query = ''): Promise<Json> {
    const { status, json } = await this.ask('GET', path, query);
    expect(status === 200 && json !== undefined, `GET ${path}${query && '?'}${query} answers ${status}${codeOf(json)}`);
    return json;
  }

  /** The records of a page. Fails with {@link Skipped} where there are fewer than are needed. */
  async records(resource: ResourceName, least = 1, query = 'per_page=10'): Promise<Json[]> {
    const page = await this.get(`/${resource}`, query);
    const records = page[resource];
    expect(Array.isArray(records), `/${resource} has no list ${resource}`);
    if (records.length < least) throw new Skipped(`needs ${least === 1 ? 'a record' : `${least} records`} in /${resource}`);
    return records;
  }

  /** A request that is refused. */
  async refused(status: number, code: string | RegExp, method: string, path: string, query = ''): Promise<Json> {
    return assertRefused(await this.ask(method, path, query), status, code, `${method} ${path}${query && '?'}${query}`);
  }

  /** What would make a record, and is refused with 400. */
  async refusedToCreate(code: string, resource: ResourceName, body: Record<string, unknown>): Promise<Json> {
    return assertRefused(await this.create(resource, body), 400, code, `POST /${resource}`);
  }

  /** A name that no record has. */
  name(): string {
    this.#count += 1;
    return `${this.mark} ${this.#count}`;
  }

  /** Asks for a new record; what was made is taken away again. Fails with {@link Skipped} where the caller may make none. */
  async create(resource: ResourceName, body: Record<string, unknown>): Promise<CheckedAnswer> {
    const answer = await this.ask('POST', `/${resource}`, '', body);
    const { status, json } = answer;
    if (typeof json?.id === 'number' && status < 300) this.keep(resource, json.id);
    if (status === 401 || status === 403) throw new Skipped(`the caller may not create ${resource}: answered ${status}`);
    return answer;
  }

  /** Makes a record, to be taken away again. */
  async make(resource: ResourceName, body: Record<string, unknown>): Promise<Json> {
    const { status, json } = await this.create(resource, body);
    expect(status === 201, `POST /${resource} answers ${status}${codeOf(json)}, not 201`);
    expect(typeof json?.id === 'number', `POST /${resource} answers no record`);
    return json;
  }

  /** Remembers a record that was made along with another. */
  keep(resource: ResourceName, id: number): void {
    if (!this.#made.some((known) => known.resource === resource && known.id === id)) this.#made.push({ resource, id });
  }

  /** Takes away what checks made, the newest first. Answers what could not be taken away. */
  async clean(): Promise<string[]> {
    const left: string[] = [];
    for (let made = this.#made.pop(); made; made = this.#made.pop()) {
      const { resource, id } = made;
      const path = `/${resource}/${id}`;
      let status = 0;
      for (let attempt = 0; attempt < 3; attempt += 1) {
        status = await this.ask('DELETE', path).then(
          (answer) => answer.status,
          () => 0,
        );
        if (status !== 0 && status < 500) break;
        await sleep(100 * 2 ** attempt);
      }
      // Gone already, or in the trash.
      if (status === 0 || status >= 500 || status === 401 || status === 403) left.push(path);
    }
    return left;
  }
}

/** Fails unless an answer refuses with a status and a code, in the form of a failure; answers its body. */
function assertRefused({ status, json }: CheckedAnswer, wanted: number, code: string | RegExp, what: string): Json {
  expect(status === wanted, `${what} answers ${status}${codeOf(json)}, not ${wanted}`);
  expect(
    typeof json?.code === 'string' && typeof json.message === 'string' && json.data?.status === wanted,
    `${what} is not answered as {"code", "message", "data": {"status"}}`,
  );
  expect(typeof code === 'string' ? json.code === code : code.test(json.code), `${what} answers the code ${json.code}, not ${code}`);
  return json;
}

/** The code of a failure, in brackets. */
export const codeOf = (json: Json): string => (typeof json?.code === 'string' ? ` (${json.code})` : '');
