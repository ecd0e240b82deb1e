import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { sizeOf } from './answer.ts';
import type { Answer } from './handler.ts';

/** Smaller bodies travel faster as they are. */
const least = 4096;

/** Ways to make a body smaller, the better first; quick ones, for the answer is waited for. */
const codings = {
  br: (bytes: Uint8Array) => promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }),
  gzip: (bytes: Uint8Array) => promisify(gzip)(bytes, { level: 4 }),
};

/** An answer with its body made smaller, where it is large and the caller takes that. */
export function compressed(answer: Answer, accepted: string | undefined): Answer | Promise<Answer> {
  const { headers, status } = answer;
  const size = answer.pieces ? sizeOf(answer.pieces) : answer.body.length;
  if (size < least || status === 304) return answer;
  // Answers may be given again: what is added here stays the same.
  if (!headers.Vary?.includes('Accept-Encoding')) headers.Vary = headers.Vary ? `${headers.Vary}, Accept-Encoding` : 'Accept-Encoding';
  const coding = accepted && (Object.keys(codings) as (keyof typeof codings)[]).find((name) => takes(accepted, name));
  return coding ? inCoding(status, headers, coding, answer.pieces ? Buffer.concat(answer.pieces, size) : Buffer.from(answer.body)) : answer;
}

async function inCoding(status: number, headers: Answer['headers'], coding: keyof typeof codings, bytes: Uint8Array): Promise<Answer> {
  return { status, headers: { ...headers, 'Content-Encoding': coding }, body: '', pieces: [await codings[coding](bytes)] };
}

/** Whether an Accept-Encoding header names a coding, and not with a weight of 0. */
function takes(accepted: string, coding: string): boolean {
  for (const item of accepted.toLowerCase().split(',')) {
    const [name, ...settings] = item.split(';').map((part) => part.trim());
    if (name === coding) return !settings.some((setting) => /^q=0(\.0*)?$/.test(setting));
  }
  return false;
}
