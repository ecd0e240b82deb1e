import { hueColors } from '../hues.ts';

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** Escapes a text for XML, without characters that XML can't contain. */
const escapeXml = (text: string): string =>
  text
    .toWellFormed()
    .replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '')
    .replace(/[&<>"']/g, (character) => escapes[character]!);

/** Maximum number of lines of a title, and of characters in each. */
const maxLines = 4;
const lineLength = 18;

/** Breaks a text into lines, the last with an ellipsis if it is too long. */
function linesOf(text: string): string[] {
  const lines: string[] = [];
  for (const word of text.split(/\s+/).filter(Boolean)) {
    const last = lines.at(-1);
    if (last !== undefined && [...last, ...word].length < lineLength) lines[lines.length - 1] = `${last} ${word}`;
    else if (lines.length === maxLines) {
      lines[maxLines - 1] += ' …';
      break;
    } else {
      const letters = [...word];
      lines.push(letters.length > lineLength ? `${letters.slice(0, lineLength - 1).join('')}…` : word);
    }
  }
  return lines;
}

const darkened = (hue: number) => `rgb(${hueColors[hue]!.map((part) => Math.round(part / 2)).join()})`;

/** A poster as SVG: a title in white on one of the colors of categories, by its index. */
export function posterOf(title: string, hue: number, [width, height]: readonly [width: number, height: number]): string {
  const size = Math.round(Math.min(width / 12, height / 7));
  const lines = linesOf(title).map((line, at, { length }) => {
    const y = Math.round(height / 2 + (at - (length - 1) / 2) * size * 1.3);
    return `<text x="${width / 2}" y="${y}">${escapeXml(line)}</text>`;
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img">`,
    `<title>${escapeXml(title)}</title><rect width="100%" height="100%" fill="${darkened(hue)}"/>`,
    `<g fill="#fff" font-family="sans-serif" font-weight="600" font-size="${size}" text-anchor="middle" dominant-baseline="central">`,
    ...lines,
    '</g></svg>\n',
  ].join('');
}
