import type { Calendar, Collection, Input, ResourceName } from '../../model/calendar.ts';
import { Failure } from '../../model/error.ts';
import { isObject } from '../../model/fields/coerce.ts';
import { utf8Bytes } from '../../model/formats/bytes.ts';
import type { PatchedRequest } from '../../model/operations/faults.ts';
import type { Service } from '../../model/operations/service.ts';
import type { Exchange } from '../context.ts';
import { bodyText, changeResponse, checkPatch, completeRequest, invalidResult, plainRequest } from '../faults/patch.ts';
import { fixedNames, foreignHeaders } from '../headers.ts';
import { type Handled, type ServerRequest, type ServerResponse, textBody } from '../http.ts';
import { asFailure, failureResponse } from '../response.ts';
import { seal } from '../seal.ts';
import { type HookAnswer, HookRejection, type Hooks, type RecordAction } from './functions.ts';

/** True if a value is a response: records have a status that is text. */
const isAnswer = (value: unknown): value is HookAnswer =>
  typeof value === 'object' && value !== null && typeof (value as HookAnswer).status === 'number';

/** The file and line of a hook that an error comes from, as the end of a phrase; empty if unknown. */
function placeOf({ module }: Hooks, error: unknown): string {
  const { stack = '' } = error instanceof Error && !(error instanceof Failure) ? error : {};
  const frames = stack.split('\n').filter((line) => /^\s+at (?!.*\(?node:).*:\d+:\d+\)?$/.test(line));
  const frame = frames.find((line) => module === undefined || line.includes(module.url) || line.includes(module.path)) ?? '';
  const [, file, line] = /(?<![^\s()])([^\s()]+):(\d+):\d+\)?$/.exec(frame) ?? [];
  const place = [module?.file ?? file?.replace(/^file:\/\//, ''), line].filter(Boolean).join(':');
  return place && ` in ${place}`;
}

const hookFailure = (hooks: Hooks, name: string, error: unknown): Failure =>
  new Failure('unexpected-failure', `The hook ${name}${placeOf(hooks, error)} failed: ${asFailure(error).message}`);

/** Formats the error of a promise that a hook did not await, which no response can contain. */
export const unawaitedText = (hooks: Hooks, error: unknown): string =>
  `A promise${placeOf(hooks, error)} was rejected and not awaited: ${asFailure(error).message}`;

function answer({ status, headers: given = {}, body = '' }: HookAnswer): ServerResponse {
  checkPatch({ status, headers: given });
  const type = typeof body === 'string' ? 'text/plain; charset=UTF-8' : 'application/json; charset=UTF-8';
  const headers = foreignHeaders(given);
  return { status, headers: { 'Content-Type': type, ...headers }, fixed: fixedNames({}, headers), body: textBody(bodyText(body)) };
}

/** A query string of parameters; lists as `name[]`. */
const queryText = (query: Record<string, unknown>): string =>
  new URLSearchParams(
    Object.entries(query).flatMap(([name, value]) => {
      if (value === undefined) return [];
      return Array.isArray(value)
        ? value.map((each): [string, string] => [`${name}[]`, String(each)])
        : [[name, String(value)] as [string, string]];
    }),
  ).toString();

function changedRequest(request: ServerRequest, before: PatchedRequest, after: PatchedRequest): ServerRequest {
  const { method, path } = after;
  if (typeof method !== 'string' || typeof path !== 'string' || !isObject(after.query) || !isObject(after.headers))
    throw invalidResult('it must return a request with method, path, query and headers, a response with a status, or nothing');
  const headers = Object.fromEntries(Object.entries(after.headers).map(([name, value]) => [name.toLowerCase(), value]));
  const query = JSON.stringify(after.query) === JSON.stringify(before.query) ? request.query : queryText(after.query);
  if (JSON.stringify(after.body) === JSON.stringify(before.body)) return { ...request, method, path, query, headers };
  const body = utf8Bytes(bodyText(after.body));
  return { ...request, method, path, query, body, headers: { ...headers, 'content-length': String(body.length) } };
}

/** Runs the hooks of a request and its response. */
export async function runHooks(
  received: ServerRequest,
  exchange: Exchange,
  hooks: Hooks,
  next: (request: ServerRequest) => Handled,
): Promise<ServerResponse> {
  const { request: onRequest, response: onResponse } = hooks.functions;
  let request = received;
  let name = 'request';
  try {
    const before = plainRequest(request);
    const result = await onRequest?.(structuredClone(before));
    if (isAnswer(result)) return answer(result);
    if (result) request = changedRequest(request, before, result);
    const response = await next(onResponse ? completeRequest(request) : request);
    if (!onResponse) return response;
    name = 'response';
    return await changeResponse(seal(exchange, response), request, onResponse);
  } catch (error) {
    return failureResponse(hookFailure(hooks, name, error));
  }
}

/** Runs the hook of changes before each change by a request. */
export function hookedService(service: Service, hooks: Hooks): Service {
  const { change } = hooks.functions;
  if (!change) return service;
  const fieldsOf = (fields: Input, action: RecordAction): Input => {
    try {
      const result = change(structuredClone(fields), action);
      if (!result) return fields;
      if (typeof (result as { then?: unknown }).then === 'function') {
        // Nothing waits for it: its failure would end the process.
        Promise.resolve(result).catch(() => {});
        throw invalidResult('it must be synchronous, and returned a promise');
      }
      if (!isObject(result)) throw invalidResult('it must return fields, a response with a status, or nothing');
      if (!isAnswer(result)) return result;
      const { status, headers: given = {}, body = '' } = result;
      checkPatch({ status, headers: given });
      const headers = foreignHeaders(given);
      throw new HookRejection({ status, headers, fixed: fixedNames({}, headers), value: body });
    } catch (error) {
      throw error instanceof HookRejection ? error : hookFailure(hooks, 'change', error);
    }
  };
  const hookedCollection = (resource: ResourceName, collection: Collection): Collection => ({
    ...collection,
    create: async (input) => collection.create(fieldsOf(input, { resource, action: 'create' })),
    update: async (ref, input) => collection.update(ref, fieldsOf(input, { resource, action: 'update', ref })),
    async delete(ref) {
      fieldsOf({}, { resource, action: 'delete', ref });
      return collection.delete(ref);
    },
  });
  return {
    ...service,
    calendar(viewer, site) {
      const calendar = service.calendar(viewer, site);
      const entries = Object.entries(calendar) as [ResourceName, Collection][];
      return Object.fromEntries(entries.map(([name, collection]) => [name, hookedCollection(name, collection)])) as unknown as Calendar;
    },
  };
}
