import Ajv2020, { type ValidateFunction } from 'ajv/dist/2020.js';
import { nested } from '../../src/server/body.ts';
import type { Json } from './contract-server.ts';

/** A request and its answer, as a proxy between client and server sees them. Header names are in lower case. */
export interface Exchanged {
  method: string;
  /** Below the site. */
  path: string;
  query: string;
  headers: Record<string, string>;
  body: string;
  status: number;
  answered: { headers: Record<string, string>; body: string };
}

/** One operation of a document, with the pattern of its path. */
export interface DocumentedOperation {
  method: string;
  path: string;
  pattern: RegExp;
  /** The part of an address that the path describes. */
  at(address: string): string;
  operation: Json;
}

/** Parameters that change the form of any response or the route: the operation does not describe such an exchange. */
const reshaping = /(^|&)(_fields|_envelope|_jsonp|_uid|_method|rest_route)([[=&]|$)/;

/** True for exchanges that an operation does not describe. */
export const isReshaped = ({ query, headers }: Exchanged): boolean =>
  reshaping.test(query) || headers['x-http-method-override'] !== undefined || headers.host === 'example.org';

/** Parameters that the service accepts from existing clients but does not document. */
const tolerated = [
  // A cost that is neither text nor number is none; terms may be numbered.
  /^sent .*"cost":(true|\{)/,
  /^sent .*"(categories|tags)":\{"\d/,
  // Null leaves a name as it is.
  /^sent \{"organizer":null\}/,
  // A server without geolocation passes over coordinates, whatever they are.
  /^sent geoloc_l(at|ng)="/,
];

const isObject = (value: unknown): value is Record<string, Json> => typeof value === 'object' && value !== null && !Array.isArray(value);

/** A schema whose objects have no other members than those that it names. */
function closed(schema: Json): Json {
  if (Array.isArray(schema)) return schema.map(closed);
  if (!isObject(schema)) return schema;
  const inner = Object.fromEntries(Object.entries(schema).map(([name, value]) => [name, name === 'example' ? value : closed(value)]));
  return isObject(schema.properties) &&
    schema.type === 'object' &&
    schema.additionalProperties === undefined &&
    Object.keys(schema.properties).length > 0
    ? { ...inner, additionalProperties: false }
    : inner;
}

/** An OpenAPI 3.1 document that says of exchanges whether they are as it says. */
export class OpenApiCheck {
  readonly operations: readonly DocumentedOperation[];
  readonly #sent: Ajv2020;
  readonly #answered: Ajv2020;
  readonly #compiled = { sent: new WeakMap<object, ValidateFunction>(), answered: new WeakMap<object, ValidateFunction>() };

  constructor(readonly document: Json) {
    const { pathname } = new URL(document.servers[0].url);
    const options = { strict: false, allErrors: true, validateFormats: false } as const;
    this.#sent = new Ajv2020(options).addSchema({ components: document.components }, 'document');
    this.#answered = new Ajv2020(options).addSchema({ components: closed(document.components) }, 'document');
    this.operations = Object.entries<Json>(document.paths).flatMap(([path, { servers, ...item }]) => {
      const base = servers ? new URL(servers[0].url).pathname.replace(/\/$/, '') : pathname;
      const literal = `${base}${path}`
        .replace(/[.*+?^$()|[\]\\]/g, '\\$&')
        .replace('{id}', '\\d+')
        .replace(/\{\w+\}/g, '[^/]+');
      return Object.entries(item).map(([method, operation]) => ({
        method: method.toUpperCase(),
        path,
        pattern: new RegExp(`^${literal}/?$`),
        at: (address: string) => address.slice(base.length) || '/',
        operation,
      }));
    });
  }

  /** Resolves a reference; returns anything else unchanged. */
  resolved(value: Json): Json {
    return isObject(value) && typeof value.$ref === 'string'
      ? value.$ref
          .slice(2)
          .split('/')
          .reduce((at: Json, name: string) => at[name], this.document)
      : value;
  }

  /** Why a value is not what a schema says; undefined where it is. */
  #fault(side: 'sent' | 'answered', schema: Json, value: unknown): string | undefined {
    let validate = this.#compiled[side].get(schema);
    if (!validate) {
      const ajv = side === 'sent' ? this.#sent : this.#answered;
      const absolute = JSON.parse(JSON.stringify(side === 'sent' ? schema : closed(schema)).replaceAll('"#/', '"document#/'));
      validate = ajv.compile(absolute);
      this.#compiled[side].set(schema, validate);
    }
    if (validate(value)) return undefined;
    return (validate.errors ?? [])
      .slice(0, 6)
      .map(({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`)
      .join('; ');
  }

  /** The operation that a request asks for. */
  find(method: string, path: string): DocumentedOperation | undefined {
    return this.operations.find((known) => known.method === method && known.pattern.test(path));
  }

  /** True for requests as the document describes them: nothing merely tolerated, and all body fields in the body. */
  isAsDescribed(exchanged: Exchanged): boolean {
    const { method, path, query } = exchanged;
    const found = this.find(method, path);
    if (!found || isReshaped(exchanged)) return false;
    return (method === 'GET' || query === '') && !/,(%20|\+)/.test(query) && this.#requestFaults(found.operation, exchanged).length === 0;
  }

  /**
   * What in an exchange is not as the document says: an undeclared status or member, a wrong value, a missing header, and with `judge` both
   * a request that is taken and not described.
   */
  faults(exchanged: Exchanged, judge: 'both' | 'answer' = 'both'): string[] {
    const { method, path, status, answered } = exchanged;
    if (isReshaped(exchanged)) return [];
    const found = this.find(method, path);
    if (!found) return [];
    const taken = judge === 'both' && status < 400 ? this.#requestFaults(found.operation, exchanged) : [];
    const faults = taken.filter((fault) => !tolerated.some((pattern) => pattern.test(fault)));
    const { [status]: exact, [`${String(status)[0]}XX`]: ofRange } = found.operation.responses;
    const response = this.resolved(exact ?? ofRange);
    if (!response) return [...faults, `${status} is not declared`];
    for (const [name, header] of Object.entries<Json>(response.headers ?? {}))
      if (this.resolved(header).required && answered.headers[name.toLowerCase()] === undefined) faults.push(`no header ${name}`);
    const type = answered.headers['content-type']?.split(';')[0];
    if (!response.content) return answered.body === '' ? faults : [...faults, `${status} has a body`];
    const media = response.content[type!];
    if (!media) return [...faults, `${status} answers ${type}, which is not declared`];
    const fault = type === 'application/json' ? this.#fault('answered', media.schema, JSON.parse(answered.body)) : undefined;
    return fault ? [...faults, `${status} ${fault}`] : faults;
  }

  #requestFaults(operation: Json, { query, headers, body }: Exchanged): string[] {
    const faults: string[] = [];
    const given = nested(new URLSearchParams(query)) as Record<string, Json>;
    for (const parameter of operation.parameters.map((each: Json) => this.resolved(each))) {
      if (parameter.in !== 'query' || given[parameter.name] === undefined) continue;
      const fault = this.#readings(given[parameter.name], parameter.schema)
        .map((reading) => this.#fault('sent', parameter.schema, reading))
        .reduce((best, each) => (best === undefined || each === undefined ? undefined : best));
      if (fault !== undefined) faults.push(`sent ${parameter.name}=${JSON.stringify(given[parameter.name])}: ${fault}`);
    }
    const content = operation.requestBody?.content;
    if (!content || body === '') return faults;
    const type = headers['content-type']?.split(';')[0] ?? '';
    const media = content[type];
    if (!media || type === 'multipart/form-data') return faults;
    const value = type === 'application/json' ? JSON.parse(body) : nested(new URLSearchParams(body));
    // Required fields may be in the query too.
    const fault = this.#fault('sent', media.schema, isObject(value) ? { ...given, ...value } : value);
    return fault ? [...faults, `sent ${body.slice(0, 200)}: ${fault}`] : faults;
  }

  /** The values that a query text may mean: the text, a number, a boolean, a comma-separated list of these. */
  #readings(value: Json, { type }: Json): unknown[] {
    const simple = (text: Json): unknown[] => {
      if (typeof text !== 'string') return [text];
      if (/^\s*[+-]?\d*\.?\d+(e[+-]?\d+)?\s*$/i.test(text)) return [Number(text), text];
      return /^(true|false)$/.test(text) ? [text === 'true', text] : [text];
    };
    if (type !== 'array') return simple(value);
    const items: Json[] = Array.isArray(value)
      ? value
      : isObject(value)
        ? Object.values(value)
        : value === ''
          ? []
          : String(value).split(',');
    const trimmed = items.map((item) => (typeof item === 'string' ? item.trim() : item)).filter((item) => item !== '');
    return [trimmed.map((item) => simple(item)[0]), trimmed.map(String)];
  }
}

const known = new Map<string, OpenApiCheck>();

/** The check of a document; of equal ones the same. */
export function checkOf(text: string): OpenApiCheck {
  const document = JSON.parse(text);
  const key = JSON.stringify([document.servers[0].url.replace(/:\d+/, ''), document.paths, document.components]);
  const check = known.get(key) ?? new OpenApiCheck(document);
  known.set(key, check);
  return check;
}
