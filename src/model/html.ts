import { splitMarkup, stripMarkup, stripTags, tagOf } from './markup.ts';
import { paragraphs } from './paragraphs.ts';
import { allowedInTexts, allowedInTitles, encodeText, sanitize } from './sanitize.ts';
import { smile } from './smilies.ts';
import { encodeAmpersands, typeset } from './typography.ts';

/** A title or name as answers show it: HTML with typographic signs. */
export function renderTitle(raw: string): string {
  return trimSpace(typeset(raw));
}

/** A description as answers show it: paragraphs, line breaks, typographic signs; galleries of which there are none vanish. */
export function renderContent(raw: string): string {
  const withoutGalleries = paragraphs(typeset(raw)).replace(
    /<p>\s?\[(?:gallery|playlist)[^\]<]*\]\s?<\/p>|\[(?:gallery|playlist)(?:\s[^[\]]*)?\]/g,
    '',
  );
  return trimSpace(smile(hurryImages(withoutGalleries)));
}

/** An excerpt as answers show it. */
export function renderExcerpt(raw: string): string {
  return trimSpace(hurryImages(paragraphs(encodeAmpersands(smile(typeset(raw))))));
}

/** A text field (address, phone, cost) as it is stored: no tags, trimmed. */
export function cleanText(raw: string): string {
  return trimSpace(stripTags(raw));
}

/** A description or excerpt as it is stored; without the right to post any HTML, unusual elements and attributes go. */
export function cleanHtml(raw: string, trusted: boolean): string {
  return trusted ? raw : sanitize(raw, allowedInTexts);
}

/** A title or name as it is stored; without the right to post any HTML, only inline elements stay. */
export function cleanTitle(raw: string, trusted: boolean): string {
  return trimSpace(trusted ? raw : sanitize(raw, allowedInTitles));
}

/** The name of a category or tag as it is stored and shown: one line of text, `&` as `&amp;`. */
export function cleanTermName(raw: string): string {
  const closed = raw.lastIndexOf('>') + 1;
  const text = stripMarkup(raw.slice(0, closed) + raw.slice(closed).replaceAll('<', '&lt;')).replace(/%[a-f0-9]{2}/gi, '');
  return encodeText(trimSpace(text.replace(/[\r\n\t ]+/g, ' ')));
}

/** The description of a category or tag as it is stored and shown: inline elements only, `&` as `&amp;`. */
export function cleanTermDescription(raw: string): string {
  return trimSpace(sanitize(raw, allowedInTitles));
}

/** The text of rendered HTML on one line, character references left as they are. */
export function plainText(html: string): string {
  return trimSpace(stripMarkup(html).replace(/[\r\n\t ]+/g, ' '));
}

/** Encodes a text for HTML; character references already in it are left. */
export function escapeHtml(text: string): string {
  return encodeText(text).replaceAll('"', '&quot;').replaceAll("'", '&#039;');
}

/** Images are told not to hold up the page. */
function hurryImages(html: string): string {
  if (!/<img\s/i.test(html)) return html;
  return splitMarkup(html)
    .map((piece) =>
      tagOf(piece) === 'img' && !/\sdecoding\s*=/i.test(piece) ? piece.replace(/^<img\s/i, '<img decoding="async" ') : piece,
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
