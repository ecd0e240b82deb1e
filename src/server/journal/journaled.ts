import { folderOf } from '../../model/addresses.ts';
import { base64Bytes, utf8Text } from '../../model/formats/bytes.ts';
import type { JournaledRequest, Payload } from '../../model/operation-types.ts';
import { joinPieces, sizeOf } from '../http.ts';
import { authorizationOf } from '../token.ts';
import { headerWithoutSecrets, reasonText, withoutSecrets } from './credentials.ts';
import type { JournalEntry, LoggedServer, Side } from './entry.ts';

/** Null for none. */
export function userOf({ request: { headers } }: JournalEntry): string | null {
  if (headers.authorization === undefined) return null;
  const [scheme, credentials] = authorizationOf({ headers });
  return scheme === 'basic' ? utf8Text(base64Bytes(credentials)).split(':')[0]! : null;
}

/** True if only the first part of a body is kept. */
const isTruncated = ({ body, bytes }: Side): boolean => sizeOf(body) < bytes;

/** The text of a body as far as it is kept, without an incomplete character at its end. */
export const sideText = (side: Side): string => new TextDecoder().decode(joinPieces(side.body), { stream: isTruncated(side) });

/** A request without headers, bodies and credentials. */
export function summaryOf(exchange: JournalEntry): JournaledRequest {
  const { id, at, now, method, protocol, prefix, path, query, status, fault, took, aborted, request, response } = exchange;
  const hasHints = !exchange.isOurs && exchange.mistakes.length > 0;
  return {
    id,
    time: new Date(at).toISOString(),
    method,
    path,
    query: withoutSecrets(query),
    status,
    fault,
    took: took === null ? null : Math.round(took * 1000) / 1000,
    aborted,
    user: userOf(exchange),
    reason: (response && reasonText({ status: status!, ...response }, exchange.injectedBy)) || null,
    client: request.headers['user-agent'] ?? null,
    ...(hasHints && { hints: exchange.mistakes }),
    now: new Date(now).toISOString(),
    ...(protocol === 'https' && { protocol }),
    ...(prefix !== '' && { prefix }),
  };
}

/** A request of a server without credentials. */
export function journaled(exchange: JournalEntry, server: LoggedServer): JournaledRequest {
  const { request, response } = exchange;
  const described = response && payloadOf(response, isSelfDescription(exchange, server));
  return { ...summaryOf(exchange), request: payloadOf(request), response: described };
}

/** Matches the paths below the namespace, and in the site or its folder, of documents that this server makes about itself. */
const documentPath = /^(\/doc|\/openapi\.json)?\/?$/;

/** True for a response that describes this server: the indexes, `/doc`, `/openapi.json` and OPTIONS. Its members are named like secrets, and have none. */
function isSelfDescription({ method, path, injectedBy }: JournalEntry, { basePath, namespace, answersAnyPath }: LoggedServer): boolean {
  if (injectedBy !== undefined || answersAnyPath) return false;
  if (method === 'OPTIONS' || path === '/openapi.json' || path === `${folderOf(basePath)}/openapi.json`) return true;
  const root = `${basePath}/${namespace}`;
  if (path.startsWith(root)) return documentPath.test(path.slice(root.length));
  return path === basePath || path === `${basePath}/`;
}

function payloadOf(side: Side, isDescription = false): Payload {
  const headers = Object.entries(side.headers).flatMap(([name, value]) => {
    const lower = name.toLowerCase();
    return value === undefined ? [] : [[lower, headerWithoutSecrets(lower, String(value))]];
  });
  const text = sideText(side);
  return {
    headers: Object.fromEntries(headers),
    body: isDescription ? text : withoutSecrets(text),
    bytes: side.bytes,
    ...(isTruncated(side) && { truncated: true }),
  };
}
