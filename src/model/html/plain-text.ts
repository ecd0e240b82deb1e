import { decodeHTMLStrict } from 'entities/decode';
import { nameKey } from './name-key.ts';
import { cleanHtml } from './sanitize.ts';
import { splitMarkup, tagName } from './tokens.ts';

/** Decodes character references. Keeps unknown ones and those without a semicolon. */
export const decodeEntities = (html: string): string => decodeHTMLStrict(html);

/**
 * A text typed without markup as HTML that shows it. Only `<` and what would be read as a character reference are encoded, so that a
 * title like `Rock & Roll` is stored as it was typed; a library's encoder changes every `&`.
 */
export const encodeEntities = (text: string): string => text.replace(/&(?=#?[a-z0-9]+;)/gi, '&amp;').replaceAll('<', '&lt;');

const apart = new Set(
  'p /p div /div h1 /h1 h2 /h2 h3 /h3 h4 /h4 h5 /h5 h6 /h6 ul /ul ol /ol table /table blockquote /blockquote pre /pre hr'.split(' '),
);
const below = new Set(['br', '/li', '/tr', '/dt', '/dd']);

/** Trims spaces and tabs in linear time; a regular expression would take quadratic time. */
function withoutBlanks(line: string): string {
  let [start, end] = [0, line.length];
  while (start < end && ' \t'.includes(line[start]!)) start += 1;
  while (end > start && ' \t'.includes(line[end - 1]!)) end -= 1;
  return line.slice(start, end);
}

/** Converts rendered HTML to plain text, with blank lines between paragraphs and line breaks between list items. */
export function htmlToText(html: string): string {
  const parts: string[] = [];
  let skipping = '';
  // As in a page, a `<` before white space is text.
  for (const piece of splitMarkup(html.replace(/<(?=\s)/g, '&lt;'))) {
    const tag = tagName(piece);
    if (skipping) skipping = tag === `/${skipping}` ? '' : skipping;
    else if (tag === 'script' || tag === 'style') skipping = tag;
    else if (apart.has(tag)) parts.push('\n\n');
    else if (below.has(tag)) parts.push('\n');
    else if (tag === 'li') parts.push('- ');
    else if (!tag && !piece.startsWith('<!--')) {
      const text = decodeEntities(piece.replace(/[\r\n]+/g, parts.at(-1)?.endsWith('\n') ? '' : ' '));
      if (text !== '') parts.push(text);
    }
  }
  return parts
    .join('')
    .split('\n')
    .map(withoutBlanks)
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}

/** Converts rendered HTML to one line of plain text. */
export const htmlToLine = (html: string): string =>
  htmlToText(html)
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join(' ');

const likeHtml = /<br\s*\/?>|<\/(?:a|b|div|em|i|li|ol|p|span|strong|u|ul)>/i;

/** Converts a plain-text description to HTML. Some programs already write HTML there. */
export const asHtml = (description: string): string =>
  likeHtml.test(description) ? cleanHtml(description, false) : encodeEntities(description);

/** The form in which names are compared of one that is HTML, as records and responses have it. */
export const htmlNameKey = (html: unknown): string => nameKey(htmlToLine(String(html ?? '')));
