import { paragraphs } from './paragraphs.ts';
import { allowedInTexts, allowedInTitles, encodeText, sanitize } from './sanitize.ts';
import { encodeAmpersands, smartQuotes } from './smart-quotes.ts';
import { replaceSmilies } from './smilies.ts';
import { splitMarkup, stripMarkup, stripTags, tagName } from './tokens.ts';

/** Renders a title or name for responses: HTML with typographic characters. */
export function renderTitle(raw: string): string {
  return trimSpace(smartQuotes(raw));
}

/** Renders a description for responses: paragraphs, line breaks and typographic characters, without `[gallery]` shortcodes. */
export function renderContent(raw: string): string {
  return trimSpace(replaceSmilies(decodeImagesLater(dropGalleries(paragraphs(smartQuotes(raw))))));
}

/** Renders an excerpt for responses. */
export function renderExcerpt(raw: string): string {
  return trimSpace(decodeImagesLater(paragraphs(encodeAmpersands(replaceSmilies(smartQuotes(raw))))));
}

/** Cleans a text field (address, phone, cost): removes tags and trims. */
export function cleanText(raw: string): string {
  return trimSpace(stripTags(raw));
}

/** Cleans a description or excerpt. Unless `trusted`, removes elements and attributes that are not allowed. */
export function cleanHtml(raw: string, trusted: boolean): string {
  return trusted ? raw : sanitize(raw, allowedInTexts);
}

/** Cleans a title or name. Unless `trusted`, keeps only inline elements. */
export function cleanTitle(raw: string, trusted: boolean): string {
  return trimSpace(trusted ? raw : sanitize(raw, allowedInTitles));
}

/** Cleans the name of a category or tag: one line of text, `&` as `&amp;`. */
export function cleanTermName(raw: string): string {
  const closed = raw.lastIndexOf('>') + 1;
  const text = stripMarkup(raw.slice(0, closed) + raw.slice(closed).replaceAll('<', '&lt;')).replace(/%[a-f0-9]{2}/gi, '');
  return encodeText(trimSpace(text.replace(/[\r\n\t ]+/g, ' ')));
}

/** Cleans the description of a category or tag: inline elements only, `&` as `&amp;`. */
export function cleanTermDescription(raw: string): string {
  return trimSpace(sanitize(raw, allowedInTitles));
}

/** Strips rendered HTML to one line of text; character references stay encoded. */
export function strippedLine(html: string): string {
  return trimSpace(stripMarkup(html).replace(/[\r\n\t ]+/g, ' '));
}

/** Encodes a text for HTML, but not the character references that it holds already. */
export function escapeHtml(text: string): string {
  return encodeText(text).replaceAll('"', '&quot;').replaceAll("'", '&#039;');
}

/** Drops shortcodes that show images, with a paragraph that holds nothing else. Tags and comments stay whole: a part of one could run as a script. */
function dropGalleries(html: string): string {
  if (!/\[(?:gallery|playlist)/.test(html)) return html;
  return splitMarkup(html.replace(/<p>\s?\[(?:gallery|playlist)[^\]<>]*\]\s?<\/p>/g, ''))
    .map((piece) => (piece.startsWith('<') ? piece : piece.replace(/\[(?:gallery|playlist)(?:\s[^[\]]*)?\]/g, '')))
    .join('');
}

/** Adds `decoding="async"` to images. */
function decodeImagesLater(html: string): string {
  if (!/<img\s/i.test(html)) return html;
  return splitMarkup(html)
    .map((piece) =>
      tagName(piece) === 'img' && !/\sdecoding\s*=/i.test(piece) ? piece.replace(/^<img\s/i, '<img decoding="async" ') : piece,
    )
    .join('');
}

function trimSpace(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && isSpace(text[start]!)) start++;
  while (end > start && isSpace(text[end - 1]!)) end--;
  return text.slice(start, end);
}

/** No-break spaces are not trimmed. */
function isSpace(character: string): boolean {
  return ' \t\n\r\0\v'.includes(character);
}
