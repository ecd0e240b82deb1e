import { decodeHTMLStrict } from 'entities/decode';
import { cleanHtml } from './render.ts';
import { splitMarkup, tagName } from './tokens.ts';

/** A text with its character references replaced by what they stand for; unknown ones, and those without a semicolon, stay. */
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

/** Rendered HTML as plain text: paragraphs apart by a blank line, breaks and list items by a line. */
export function htmlToText(html: string): string {
  let text = '';
  let skipping = '';
  for (const piece of splitMarkup(html)) {
    const tag = tagName(piece);
    if (skipping) skipping = tag === `/${skipping}` ? '' : skipping;
    else if (tag === 'script' || tag === 'style') skipping = tag;
    else if (apart.has(tag)) text += '\n\n';
    else if (below.has(tag)) text += '\n';
    else if (tag === 'li') text += '- ';
    else if (!tag && !piece.startsWith('<!--')) text += decodeEntities(piece.replace(/[\r\n]+/g, text.endsWith('\n') ? '' : ' '));
  }
  return text
    .replace(/[ \t]+\n/g, '\n')
    .replace(/\n[ \t]+/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}

/** Rendered HTML of one line, like a title, as plain text. */
export const htmlToLine = (html: string): string => htmlToText(html).replace(/\s*\n\s*/g, ' ');

const likeHtml = /<br\s*\/?>|<\/(?:a|b|div|em|i|li|ol|p|span|strong|u|ul)>/i;

/** A description as it is stored: some programs write HTML where plain text belongs. */
export const asHtml = (description: string): string =>
  likeHtml.test(description) ? cleanHtml(description, false) : encodeEntities(description);
