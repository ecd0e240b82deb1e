import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import Negotiator from 'negotiator';
import type { Response } from './http.ts';
import { sizeOf } from './response.ts';

/** Bytes from which a body is compressed: smaller ones travel faster as they are. */
const minSize = 4096;

/** Ways to compress a body, the better first; quick ones, for the answer is waited for. */
const codings = {
  br: (bytes: Uint8Array) => promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }),
  gzip: (bytes: Uint8Array) => promisify(gzip)(bytes, { level: 4 }),
};
type Coding = keyof typeof codings;
const preferred = Object.keys(codings) as Coding[];

/** A response with its body compressed, where it is large and the caller takes that; one with a fault stays as it is. */
export function compressed(response: Response, accepted: string | undefined): Response | Promise<Response> {
  const { status, pieces } = response;
  const size = pieces ? sizeOf(pieces) : response.body.length;
  if (size < minSize || status === 304 || response.fault || response.slowBody) return response;
  const Vary = response.headers.Vary ? `${response.headers.Vary}, Accept-Encoding` : 'Accept-Encoding';
  const headers = { ...response.headers, Vary };
  const coding = accepted ? codingFor(accepted) : undefined;
  if (coding) return compress(coding, status, headers, pieces ? Buffer.concat(pieces, size) : Buffer.from(response.body));
  return pieces ? { status, headers, pieces, body: '' } : { status, headers, body: response.body };
}

function codingFor(accepted: string): Coding | undefined {
  const acceptable = new Negotiator({ headers: { 'accept-encoding': accepted } }).encodings(preferred);
  return preferred.find((coding) => acceptable.includes(coding));
}

async function compress(coding: Coding, status: number, headers: Response['headers'], bytes: Uint8Array): Promise<Response> {
  return { status, headers: { ...headers, 'Content-Encoding': coding }, body: '', pieces: [await codings[coding](bytes)] };
}
