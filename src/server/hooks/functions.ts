import type { Ref, ResourceName } from '../../model/calendar.ts';
import type { PatchedRequest, PatchedResponse } from '../../model/operations/faults.ts';
import type { Result } from '../http.ts';

/** A response of a hook; a body that is not text is sent as JSON. */
export type HookAnswer = Pick<PatchedResponse, 'status'> & Partial<PatchedResponse>;

/** The action that changes a record. */
export interface RecordAction {
  /** Resource of the record, like `events`. */
  resource: ResourceName;
  /** Kind of change. */
  action: 'create' | 'update' | 'delete';
  /** The record of an update or a deletion. */
  ref?: Ref;
}

/** The functions of a user's module. Each may return nothing, which changes nothing. */
export interface HookFunctions {
  /**
   * Called before a request is handled. Returns a changed request, or a response instead.
   * @example request: ({ headers }) => (headers['x-maintenance'] ? { status: 503 } : undefined)
   */
  request?(request: PatchedRequest): MaybePromise<PatchedRequest | HookAnswer | undefined>;
  /**
   * Called with the response to a request. Returns a changed one.
   * @example response: (response) => ({ ...response, headers: { ...response.headers, 'x-served-by': 'test' } })
   */
  response?(response: PatchedResponse, request: PatchedRequest): MaybePromise<PatchedResponse | undefined>;
  /**
   * Called with the fields of a change before it is written. Returns changed fields, or a response that rejects it.
   * @example change: (fields, { action }) => (action === 'delete' ? { status: 403 } : fields)
   */
  change?(fields: Record<string, unknown>, action: RecordAction): Record<string, unknown> | HookAnswer | undefined;
}
/** A value, or a promise of it. */
type MaybePromise<T> = T | Promise<T>;

/** Names of the functions. */
export const hookNames: readonly string[] = ['request', 'response', 'change'] satisfies (keyof HookFunctions)[];

/** The hooks of a server. */
export interface Hooks {
  /** Their module: its path as it was given, for messages, its absolute path and its URL. Undefined for functions of this process. */
  module?: { file: string; path: string; url: string };
  functions: HookFunctions;
}

/** The rejection of a change by a hook. */
export class HookRejection extends Error {
  constructor(readonly result: Result) {
    super('A hook rejected the change');
  }
}
