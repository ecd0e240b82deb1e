import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import Negotiator from 'negotiator';
import { addVary, joinPieces, type Response, sizeOf } from './http.ts';

/** Minimum size of a body to compress, in bytes. Smaller ones arrive faster as they are; files of the page are loaded once. */
const [minBytes, minFileBytes] = [4096, 256];

/** Content codings, the better one first, at levels that take little time. */
const codings = {
  br: (bytes: Uint8Array) => promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }),
  gzip: (bytes: Uint8Array) => promisify(gzip)(bytes, { level: 4 }),
};
type Coding = keyof typeof codings;
const preferred = Object.keys(codings) as Coding[];

/** Types whose content is compressed already. */
const isCompressed = /^image\/(?!svg)/;
const isFile = /^text\/(javascript|css)/;

/** Compresses the body of a response if it is large and the client accepts it; not one with a fault. */
export function compress(response: Response, accepted: string | undefined): Response | Promise<Response> {
  const { status, body, headers } = response;
  const type = headers['Content-Type'] ?? '';
  const size = sizeOf(body);
  if (size < minFileBytes || (size < minBytes && !isFile.test(type))) return response;
  if (status === 304 || isCompressed.test(type) || response.fault || response.slowBody) return response;
  addVary(headers, 'Accept-Encoding');
  const coding = accepted ? codingFor(accepted) : undefined;
  return coding ? encode(coding, status, headers, joinPieces(body)) : response;
}

function codingFor(accepted: string): Coding | undefined {
  const acceptable = new Negotiator({ headers: { 'accept-encoding': accepted } }).encodings(preferred);
  return preferred.find((coding) => acceptable.includes(coding));
}

async function encode(coding: Coding, status: number, headers: Response['headers'], bytes: Uint8Array): Promise<Response> {
  return { status, headers: { ...headers, 'Content-Encoding': coding }, body: [await codings[coding](bytes)] };
}
