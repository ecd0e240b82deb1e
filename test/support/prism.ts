import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Json } from './contract-server.ts';
import { type Exchanged, isReshaped, type OpenApiCheck } from './openapi-check.ts';

/** The violations that Prism, a validating proxy, reports for an exchange: of an accepted request, and of the response. */
export type Judge = (exchanged: Exchanged) => string[];

const judges = new Map<OpenApiCheck, Promise<Judge>>();

/** Prism’s judge of a document; undefined unless CALENDAR_PRISM names the folder that it is installed in: `npm run contract:proxy`. */
export function prismOf(check: OpenApiCheck): Promise<Judge> | undefined {
  const folder = process.env.CALENDAR_PRISM;
  if (!folder) return undefined;
  const judge = judges.get(check) ?? judgeFrom(folder, check);
  judges.set(check, judge);
  return judge;
}

const parsed = (text: string, type = ''): unknown => (text === '' ? undefined : /json/.test(type) ? JSON.parse(text) : text);

async function judgeFrom(folder: string, check: OpenApiCheck): Promise<Judge> {
  const require = createRequire(join(folder, 'package.json'));
  const { getHttpOperationsFromSpec } = require('@stoplight/prism-http');
  const { validateInput, validateOutput } = require('@stoplight/prism-http/dist/validator');
  const operations: Json[] = await getHttpOperationsFromSpec(check.document);
  const said = ({ left = [] }: Json, side: string): string[] =>
    left.map(({ path = [], message }: Json) => `Prism: ${side} ${path.join('.')} ${message}`);
  return (exchanged) => {
    const { method, path, query, headers, body, status, answered } = exchanged;
    const found = check.find(method, path);
    const resource = operations.find((known) => known.method === method.toLowerCase() && known.path === found?.path);
    if (!found || !resource || isReshaped(exchanged)) return [];
    const answer = { statusCode: status, headers: answered.headers, body: parsed(answered.body, answered.headers['content-type']) };
    const faults = said(validateOutput({ resource, element: answer }), 'response');
    if (status >= 400 || !check.isAsDescribed(exchanged)) return faults;
    const params = new URLSearchParams(query);
    const given = (name: string) => (params.getAll(name).length > 1 ? params.getAll(name) : params.get(name));
    const type = headers['content-type']?.toLowerCase();
    const sent = {
      method: method.toLowerCase(),
      // It takes the slash at the end for a part of the last parameter.
      url: {
        path: found.at(path).replace(/(?<=.)\/$/, ''),
        query: Object.fromEntries([...params.keys()].map((name) => [name, given(name)])),
      },
      headers: { ...headers, ...(type ? { 'content-type': type } : {}), 'content-length': String(Buffer.byteLength(body)) },
      body: parsed(body, type),
    };
    return [...said(validateInput({ resource, element: sent }), 'request'), ...faults];
  };
}
