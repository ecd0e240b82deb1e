// ical.js can write lines, too, but with up to 76 octets and control characters, and exports would load its parser.

/** Escapes a property value (RFC 5545, 3.3.11) and removes control characters. */
export const escapeText = (text: string): string =>
  text
    .replace(/\r\n?/g, '\n')
    .replace(/[\0-\x08\x0b-\x1f\x7f]/g, '')
    .replace(/[\\;,]/g, '\\$&')
    .replaceAll('\n', '\\n');

/** Escapes a parameter value (RFC 5545, 3.2; RFC 6868) and quotes it if necessary. */
export function escapeParameter(text: string): string {
  const clean = text
    .replaceAll('^', '^^')
    .replace(/\r\n?|\n/g, '^n')
    .replaceAll('"', "^'")
    .replace(/[\0-\x08\x0a-\x1f\x7f]/g, '');
  return /[:;,]/.test(clean) ? `"${clean}"` : clean;
}

/** Folds a content line to at most 75 octets per line without splitting characters, and adds CRLF (RFC 5545, 3.1). */
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
