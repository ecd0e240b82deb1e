// ical.js can write lines too, but lets them grow to 76 octets and leaves control characters in them, and an export would have to load its parser.

/** A text as the value of a property: backslash, semicolon, comma and newline escaped (RFC 5545, 3.3.11), other control characters left out. */
export const escapeText = (text: string): string =>
  text
    .replace(/\r\n?/g, '\n')
    .replace(/[\0-\x08\x0b-\x1f\x7f]/g, '')
    .replace(/[\\;,]/g, '\\$&')
    .replaceAll('\n', '\\n');

/** A text as the value of a parameter (RFC 5545, 3.2), quoted where it must be; double quotes, carets and newlines by RFC 6868. */
export function escapeParameter(text: string): string {
  const clean = text
    .replaceAll('^', '^^')
    .replace(/\r\n?|\n/g, '^n')
    .replaceAll('"', "^'")
    .replace(/[\0-\x08\x0a-\x1f\x7f]/g, '');
  return /[:;,]/.test(clean) ? `"${clean}"` : clean;
}

/** A content line with its end, folded so that no line is longer than 75 octets and no character is cut (RFC 5545, 3.1). */
export function foldLine(line: string): string {
  if (line.length <= 25 || (line.length <= 75 && /^[\x20-\x7e]*$/.test(line))) return `${line}\r\n`;
  let folded = '';
  let octets = 0;
  for (const character of line) {
    const size = octetsOf(character.codePointAt(0)!);
    if (octets + size > 75) {
      folded += '\r\n ';
      octets = 1;
    }
    folded += character;
    octets += size;
  }
  return `${folded}\r\n`;
}

function octetsOf(code: number): number {
  return code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
}
