/*
 * Bytes and text wherever JavaScript runs. Node's Buffer does the same, and browsers have none.
 */

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
const wide = new TextDecoder('utf-16le');

/** Unpaired surrogates become U+FFFD. */
export const utf8Bytes = (text: string): Uint8Array<ArrayBuffer> => encoder.encode(text);

/** Bytes that are not UTF-8 become U+FFFD; a byte order mark stays. */
export const utf8Text = (bytes: Uint8Array): string => decoder.decode(bytes);

/** The low byte of each UTF-16 unit. */
export function latin1Bytes(text: string): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
  return bytes;
}

/** One character for each byte. The decoder of browsers for `latin1` is that of Windows-1252. */
export const latin1Text = (bytes: Uint8Array): string => wide.decode(new Uint16Array(bytes));

export const base64Text = (bytes: Uint8Array): string => btoa(latin1Text(bytes));

/** Accepts base64 and base64url, padded or not. Ends at the first `=`, and ignores other characters. */
export function base64Bytes(text: string): Uint8Array<ArrayBuffer> {
  const end = text.indexOf('=');
  const digits = (end < 0 ? text : text.slice(0, end))
    .replaceAll('-', '+')
    .replaceAll('_', '/')
    .replace(/[^A-Za-z\d+/]+/g, '');
  return latin1Bytes(atob(digits.length % 4 === 1 ? digits.slice(0, -1) : digits));
}

export function hexText(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) text += (byte | 0x100).toString(16).slice(1);
  return text;
}

export function concatBytes(pieces: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(pieces.reduce((size, { length }) => size + length, 0));
  let at = 0;
  for (const piece of pieces) {
    bytes.set(piece, at);
    at += piece.length;
  }
  return bytes;
}

/** Compares bytes of the same length in constant time. */
export function isEqualBytes(one: Uint8Array, other: Uint8Array): boolean {
  let difference = one.length ^ other.length;
  for (let i = 0; i < one.length; i++) difference |= one[i]! ^ other[i]!;
  return difference === 0;
}

/** Random bytes that cannot be guessed. */
export const randomBytes = (size: number): Uint8Array<ArrayBuffer> => crypto.getRandomValues(new Uint8Array(size));

/** A random UUID (RFC 9562, version 4). `crypto.randomUUID` exists on pages with HTTPS only. */
export function randomUuid(): string {
  const bytes = randomBytes(16);
  bytes[6] = (bytes[6]! & 0x0f) | 0x40;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  return hexText(bytes).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
