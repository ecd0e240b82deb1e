/** Headers and body of a message. */
interface Payload {
  headers: Record<string, string>;
  body: string;
  bytes: number;
  truncated?: boolean;
}

/** The members of a logged request that an archive contains. */
interface LoggedRequest {
  time: string;
  method: string;
  protocol?: string;
  prefix?: string;
  path: string;
  query: string;
  status: number | null;
  fault: string | null;
  took: number | null;
  aborted: boolean;
  reason: string | null;
  request?: Payload;
  response?: Payload | null;
}

/** A request log in the HTTP Archive format 1.2, which the developer tools of browsers open. */
export interface HttpArchive {
  /** The requests, and what recorded them. */
  log: {
    /** Version of the format. */
    version: '1.2';
    /** The program that recorded them. */
    creator: {
      /** Name of the program. */
      name: string;
      /** Its version, like `2.0.0`. */
      version: string;
    };
    /** The requests with their responses, the oldest first. */
    entries: object[];
  };
}

const empty: Payload = { headers: {}, body: '', bytes: 0 };
const pairsOf = (values: Iterable<[string, string]>) => [...values].map(([name, value]) => ({ name, value }));

/** The members that requests and responses have in common. Cookies are redacted. */
const common = (headers: Payload['headers']) => ({
  httpVersion: 'HTTP/1.1',
  cookies: [],
  headers: pairsOf(Object.entries(headers)),
  headersSize: -1,
});

/** Marks a body of which only the first part is kept. */
const truncation = ({ truncated }: Payload) => (truncated ? { _truncated: true } : {});

function entryOf(logged: LoggedRequest): object {
  const { time, method, protocol = 'http', prefix = '', path, query, status, fault, took, aborted, reason, request = empty } = logged;
  const response = logged.response ?? empty;
  const wait = took ?? 0;
  const url = `${protocol}://${request.headers.host ?? 'localhost'}${prefix}${path}${query === '' ? '' : `?${query}`}`;
  const mimeType = (headers: Payload['headers']) => headers['content-type'] ?? '';
  return {
    startedDateTime: time,
    time: wait,
    request: {
      method,
      url,
      ...common(request.headers),
      queryString: pairsOf(new URLSearchParams(query)),
      bodySize: request.bytes,
      ...(request.bytes === 0
        ? {}
        : { postData: { mimeType: mimeType(request.headers), params: [], text: request.body, ...truncation(request) } }),
    },
    response: {
      status: status ?? 0,
      statusText: '',
      ...common(response.headers),
      content: { size: response.bytes, mimeType: mimeType(response.headers), text: response.body, ...truncation(response) },
      redirectURL: response.headers.location ?? '',
      bodySize: -1,
      // Browsers show it instead of a status.
      ...(fault === null ? {} : { _error: `fault: ${fault}` }),
      ...(aborted ? { _aborted: true } : status === null ? { _pending: true } : {}),
    },
    cache: {},
    timings: { send: 0, wait, receive: 0 },
    ...(reason === null ? {} : { comment: reason }),
  };
}

/** The journal has redacted their secrets. */
export const toHar = (requests: readonly LoggedRequest[], version: string): HttpArchive => ({
  log: { version: '1.2', creator: { name: 'local-calendar', version }, entries: requests.map(entryOf) },
});
