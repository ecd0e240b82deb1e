import { hash } from 'node:crypto';
import { Failure } from '../model/error.ts';
import type { Query } from '../model/filter.ts';
import { fieldsOf } from './fields.ts';
import type { Answer, Exchange, HandlerOptions, Request } from './handler.ts';

/** An answer before `_fields`, `_envelope` and `_jsonp` have had their say. */
export interface Result {
  status: number;
  headers: Record<string, string>;
  value: unknown;
  /** The value in the form of an answer, where that is ready. */
  ready?: Ready;
}

/** A body in UTF-8, as pieces that follow on each other. */
export interface Ready {
  pieces: readonly Uint8Array[];
  /** Names the content: equal tags, equal bytes. */
  tag: string;
}

const commonHeaders = {
  'Content-Type': 'application/json; charset=UTF-8',
  'X-Content-Type-Options': 'nosniff',
  'X-Robots-Tag': 'noindex',
  'Access-Control-Expose-Headers': 'Link',
  'Access-Control-Allow-Headers': 'Authorization, Content-Disposition, Content-MD5, Content-Type',
};

/** Whether a query asks for another form of answers than the usual one. */
export const reshapes = (query: Query): boolean =>
  query._fields !== undefined || query._envelope !== undefined || query._pretty !== undefined || query._jsonp !== undefined;

/** Applies the parameters that every route takes, and the headers that every answer has. */
export function finish(result: Result, { request, query, options }: Exchange): Answer {
  const headers: Record<string, string> = { ...commonHeaders, ...corsHeaders(request, options), ...result.headers };
  const reads = request.method === 'GET' || request.method === 'HEAD';
  if (result.ready) return tagged(inPieces(result.status, headers, result.ready.pieces), request, result.ready.tag);
  let { status, value } = result;
  if (query._fields !== undefined && status < 400) value = fieldsOf(value, query._fields);
  if (query._envelope !== undefined) {
    value = { body: value, status, headers: result.headers };
    status = 200;
  }
  let body = JSON.stringify(value, null, query._pretty === undefined ? undefined : 2);
  if (typeof query._jsonp === 'string') {
    body = `/**/${query._jsonp}(${body.replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029')})`;
    headers['Content-Type'] = 'application/javascript; charset=UTF-8';
  }
  return status === 200 && reads ? tagged({ status, headers, body }, request, tagOf(body)) : { status, headers, body };
}

/** A short name for a content. */
export const tagOf = (text: string | Uint8Array): string => hash('sha1', text, 'base64url').slice(0, 22);

/** How many bytes pieces have in all. */
export const sizeOf = (pieces: readonly Uint8Array[]): number => pieces.reduce((size, { length }) => size + length, 0);

/** An answer whose body is there in pieces, and becomes text for whoever wants that. */
const inPieces = (status: number, headers: Record<string, string>, pieces: readonly Uint8Array[]): Answer => ({
  status,
  headers,
  pieces,
  get body() {
    return Buffer.concat(pieces).toString();
  },
});

/** An answer that names its content, or one that says that the caller has it already, and nothing to HEAD. */
function tagged(answer: Answer, { method, headers: asked }: Request, tag: string): Answer {
  answer.headers.ETag = `W/"${tag}"`;
  const known = asked['if-none-match'];
  if (known !== undefined && (known.trim() === '*' || known.includes(`"${tag}"`)))
    return { status: 304, headers: answer.headers, body: '' };
  return method === 'HEAD' ? { status: answer.status, headers: answer.headers, body: '' } : answer;
}

/** What a browser on another origin needs to know. */
export function corsHeaders({ headers: { origin } }: Request, { cors, headerPrefix }: HandlerOptions): Record<string, string> | undefined {
  if (!origin || (cors && !cors.includes('*') && !cors.includes(origin))) return undefined;
  return {
    'Access-Control-Allow-Origin': origin,
    'Access-Control-Allow-Methods': 'OPTIONS, GET, POST, PUT, PATCH, DELETE',
    'Access-Control-Allow-Credentials': 'true',
    'Access-Control-Expose-Headers': `${headerPrefix}-Total, ${headerPrefix}-TotalPages, Link, Location, ETag`,
    Vary: 'Origin',
  };
}

/** The one place that turns a failure into an answer. */
export function failureAnswer(failure: Failure): Result {
  const { additional_data, ...data } = failure.data;
  return {
    status: failure.status,
    headers: failure.status === 401 && failure.code !== 'rest_forbidden' ? { 'WWW-Authenticate': 'Basic realm="calendar"' } : {},
    value: {
      code: failure.code,
      message: failure.message,
      ...(failure.code === 'rest_callback_invalid' ? {} : { data: { status: failure.status, ...data } }),
      ...(additional_data ? { additional_data } : {}),
    },
  };
}

/** What was thrown, as a failure: whatever is not one is our mistake. */
export function asFailure(error: unknown): Failure {
  if (error instanceof Failure) return error;
  return new Failure('unexpected-failure', error instanceof Error ? error.message : String(error));
}
