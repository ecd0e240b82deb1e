import { allowedInTexts, allowedInTitles, encodeText, sanitize } from './sanitize.ts';
import { stripMarkup, stripTags, trimSpace } from './tokens.ts';

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

/** Encodes a text for HTML, but keeps the character references that it contains. */
export function escapeHtml(text: string): string {
  return encodeText(text).replaceAll('"', '&quot;').replaceAll("'", '&#039;');
}
