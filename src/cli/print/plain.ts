import { stripMarkup } from '../../model/markup.ts';
import { decodeEntities } from './entities.ts';

/** What separates one block of HTML from the next when it is read as text. */
const breaks = /<(?:br|\/?(?:p|div|li|ul|ol|h[1-6]|tr|table|blockquote))\b[^>]*>/gi;

/** A text of HTML as people read it, on one line: tags stripped, references decoded, white space single, nothing a terminal would obey. */
export function plain(html: string): string {
  return harmless(decodeEntities(stripMarkup(html.replace(breaks, ' $&'))))
    .replace(/[\s\u2028\u2029]+/g, ' ')
    .trim();
}

/** A text of HTML as paragraphs of plain text, in which a terminal finds nothing to obey. */
export function paragraphsOf(html: string): string[] {
  return html
    .split(/<\/(?:p|div|li|h[1-6]|blockquote)>|<br\s*\/?>/i)
    .map(plain)
    .filter((paragraph) => paragraph !== '');
}

// Escape sequences could restyle, retitle or rewrite the screen; bidirectional overrides could make a text read as another one.
const obeyed = /[\0-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/g;

/** A text with every character that a terminal would obey shown by a sign instead; line breaks and tabs stay. */
export function harmless(text: string): string {
  return text.replace(/\r\n/g, '\n').replace(obeyed, (character) => {
    const code = character.charCodeAt(0);
    if (code === 0x0d) return '\n';
    return code < 0x20 ? String.fromCharCode(0x2400 + code) : code === 0x7f ? '␡' : '�';
  });
}
