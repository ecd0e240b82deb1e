import { setTimeout as sleep } from 'node:timers/promises';
import type { ResourceName } from '../../model/calendar.ts';
import { compareRecord } from '../response-check.ts';

/** A response of the checked server. Header names are in lower case; `json` is undefined if the body is not JSON. */
interface CheckedResponse {
  status: number;
  headers: Record<string, string>;
  // biome-ignore lint/suspicious/noExplicitAny: responses of other servers can have any type
  json: any;
}
// biome-ignore lint/suspicious/noExplicitAny: responses of other servers can have any type
export type Json = any;

/** One requirement of the specification. */
export interface Check {
  /** Stable across versions. */
  name: string;
  /** The requirement, as a sentence without a period. */
  about: string;
  /** The section of the API documentation with a quotation, or the observed behavior where the documentation is silent. */
  specification: string;
  /** Creates records and deletes them afterwards. */
  writes?: true;
  /** Throws {@link CheckFailed} if the requirement is not met, {@link Skipped} if it cannot be checked. */
  run(server: CheckedServer): Promise<void>;
}

/** Thrown if a requirement is not met. */
export class CheckFailed extends Error {}
/** Thrown if a check cannot be run. */
export class Skipped extends Error {}

/** Throws {@link CheckFailed} unless a condition is true. */
export function expect(condition: unknown, message: string): asserts condition {
  if (!condition) throw new CheckFailed(message);
}

/** Throws {@link CheckFailed} with both values unless they are equal. */
export function same(actual: unknown, expected: unknown, what: string): void {
  const [a, b] = [JSON.stringify(actual), JSON.stringify(expected)];
  if (a !== b) throw new CheckFailed(`${what}: expected ${b?.slice(0, 200)}, received ${a?.slice(0, 200) ?? 'nothing'}`);
}

/** Sends a request to a path below the namespace. Throws if the server is unreachable. */
export type SendRequest = (method: string, path: string, query?: string, body?: unknown) => Promise<CheckedResponse>;

/** Throws {@link CheckFailed} if a record lacks a member or has one of another type. */
export function expectForm(name: ResourceName, record: Json): void {
  const { problems, missing } = compareRecord(name, record);
  expect(!problems.length, `record ${record.id}: ${problems.map(({ at, reason }) => `${at} is ${reason}`)[0]}`);
  expect(!missing.length, `record ${record.id} lacks ${missing.join(', ')}`);
}

/** A server, with the requests that checks send. */
export class CheckedServer {
  /** Created records that have not been deleted, newest last. */
  readonly #created: { resource: string; id: number }[] = [];
  #count = 0;

  constructor(
    readonly send: SendRequest,
    /** Unique prefix of the names of created records. */
    readonly prefix: string,
  ) {}

  /** Sends a GET request that must succeed. Returns the JSON body. */
  async get(path: string, query = ''): Promise<Json> {
    const { status, json } = await this.send('GET', path, query);
    expect(status === 200 && json !== undefined, `GET ${path}${query && '?'}${query} returned ${status}${codeOf(json)}`);
    return json;
  }

  /** Throws {@link Skipped} if there are fewer than `min`. */
  async records(resource: ResourceName, min = 1, query = 'per_page=10'): Promise<Json[]> {
    const page = await this.get(`/${resource}`, query);
    const records = page[resource];
    expect(Array.isArray(records), `/${resource} returned no list "${resource}"`);
    if (records.length < min) throw new Skipped(`needs ${min === 1 ? 'a record' : `${min} records`} in /${resource}`);
    return records;
  }

  /** Sends a request that must fail with a status and a code. Returns the JSON body. */
  async rejects(status: number, code: string | RegExp, method: string, path: string, query = ''): Promise<Json> {
    return assertRejected(await this.send(method, path, query), status, code, `${method} ${path}${query && '?'}${query}`);
  }

  /** Sends a POST request that must fail with 400. Returns the JSON body. */
  async rejectsCreate(code: string, resource: ResourceName, body: Record<string, unknown>): Promise<Json> {
    return assertRejected(await this.create(resource, body), 400, code, `POST /${resource}`);
  }

  uniqueName(): string {
    this.#count += 1;
    return `${this.prefix} ${this.#count}`;
  }

  /** Sends a request to create a record, which {@link clean} deletes. Throws {@link Skipped} if the user may not create records. */
  async create(resource: ResourceName, body: Record<string, unknown>): Promise<CheckedResponse> {
    const response = await this.send('POST', `/${resource}`, '', body);
    const { status, json } = response;
    if (typeof json?.id === 'number' && status < 300) this.track(resource, json.id);
    if (status === 401 || status === 403) throw new Skipped(`not allowed to create ${resource} (${status})`);
    return response;
  }

  /** Creates a record, which {@link clean} deletes. Returns it. */
  async createRecord(resource: ResourceName, body: Record<string, unknown>): Promise<Json> {
    const { status, json } = await this.create(resource, body);
    expect(status === 201, `POST /${resource} returned ${status}${codeOf(json)}, expected 201`);
    expect(typeof json?.id === 'number', `POST /${resource} returned no record`);
    return json;
  }

  /** Adds a record for {@link clean} to delete. */
  track(resource: ResourceName, id: number): void {
    if (!this.#created.some((created) => created.resource === resource && created.id === id)) this.#created.push({ resource, id });
  }

  /** Deletes created records, newest first. Returns the paths of records that could not be deleted. */
  async clean(): Promise<string[]> {
    const undeleted: string[] = [];
    for (let record = this.#created.pop(); record; record = this.#created.pop()) {
      const { resource, id } = record;
      const path = `/${resource}/${id}`;
      let status = 0;
      for (let attempt = 0; attempt < 3; attempt += 1) {
        status = await this.send('DELETE', path).then(
          (response) => response.status,
          () => 0,
        );
        if (status !== 0 && status < 500) break;
        await sleep(100 * 2 ** attempt);
      }
      // Other errors mean that it is already deleted or in the trash.
      if (status === 0 || status >= 500 || status === 401 || status === 403) undeleted.push(path);
    }
    return undeleted;
  }
}

/** Throws {@link CheckFailed} unless a response is an error with this status and code. Returns its JSON body. */
function assertRejected({ status, json }: CheckedResponse, expected: number, code: string | RegExp, what: string): Json {
  expect(status === expected, `${what} returned ${status}${codeOf(json)}, expected ${expected}`);
  expect(
    typeof json?.code === 'string' && typeof json.message === 'string' && json.data?.status === expected,
    `${what} did not return {"code", "message", "data": {"status"}}`,
  );
  expect(typeof code === 'string' ? json.code === code : code.test(json.code), `${what} returned the code ${json.code}, expected ${code}`);
  return json;
}

export const codeOf = (json: Json): string => (typeof json?.code === 'string' ? ` (${json.code})` : '');
