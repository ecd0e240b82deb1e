import { textOf } from '../../model/plain.ts';

/** A text of HTML as people read it, on one line: tags stripped, references decoded, white space single, nothing a terminal would obey. */
export function plain(html: string): string {
  const text = /[<&]/.test(html) ? textOf(html) : html;
  return harmless(text)
    .replace(/[\s\u2028\u2029]+/g, ' ')
    .trim();
}

/** A text of HTML as lines of plain text, in which a terminal finds nothing to obey. Between paragraphs stands an empty one. */
export const linesOf = (html: string): string[] => (html === '' ? [] : harmless(textOf(html)).split('\n'));

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
