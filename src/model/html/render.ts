import { paragraphs } from './paragraphs.ts';
import { encodeAmpersands, smartQuotes } from './smart-quotes.ts';
import { replaceSmilies } from './smilies.ts';
import { splitMarkup, tagName, trimSpace } from './tokens.ts';

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
