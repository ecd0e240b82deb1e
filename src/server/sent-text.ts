import { Failure } from '../model/error.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true });

const excerptOf = (text: string): string => (text.length > 100 ? `${text.slice(0, 100)}…` : text);

/** Returns the failure of text that is not UTF-8: replacing bytes would store something else than what was sent. */
const notUtf8 = (place: string, text: string): Failure =>
  new Failure('bad-request', `Invalid UTF-8 in ${place}: ${excerptOf(text)}`, 'Encode text as UTF-8 before it is percent-encoded or sent.');

/** Decodes bytes; undefined if they are not UTF-8. */
export function decoded(bytes: Uint8Array): string | undefined {
  try {
    return utf8.decode(bytes);
  } catch {
    return undefined;
  }
}

/** Decodes bytes of a place in a request, like `the form`. Throws `bad-request` if they are not UTF-8. */
export function decodedAt(place: string, bytes: Uint8Array): string {
  const text = decoded(bytes);
  if (text === undefined) throw notUtf8(place, Buffer.from(bytes.subarray(0, 400)).toString());
  return text;
}

/** Checks percent-encoded text of a place in a request. Throws `bad-request` if what it stands for is not UTF-8. */
export function checkEncoded(place: string, text: string): void {
  if (!/%[89a-f]/i.test(text)) return;
  const binary = Buffer.from(text).toString('latin1');
  const bytes = binary.replace(/%([\da-f]{2})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
  if (decoded(Buffer.from(bytes, 'latin1')) === undefined) throw notUtf8(place, text);
}

/** Checks a text that another parser decoded from a body. Throws `bad-request` if it replaced bytes that are not UTF-8: the text is not in the body then. */
export function checkDecoded(place: string, text: string, body: Uint8Array): void {
  if (text.includes('\ufffd') && !Buffer.from(body.buffer, body.byteOffset, body.length).includes(text)) throw notUtf8(place, text);
}
