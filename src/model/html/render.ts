import { paragraphs } from './paragraphs.ts';
import { encodeAmpersands, smartQuotes } from './smart-quotes.ts';
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

/** Rendered characters and the text that produces them. */
const typed: [sign: RegExp, text: string][] = [
  [/&#821[67];|&#8242;/g, "'"],
  [/&#822[01];|&#8243;/g, '"'],
  [/&#8230;/g, '...'],
  [/&#8482;/g, '(tm)'],
  [/&#215;/g, 'x'],
  [/&#0?38;|&amp;/g, '&'],
];

/** Returns the first candidate that renders to `shown`, else `shown`. */
const faithful = (rendered: string, render: (raw: string) => string, candidates: Iterable<string>): string => {
  for (const candidate of candidates) if (render(candidate) === rendered) return candidate;
  return rendered;
};

/** Yields possible source texts, plainest first. */
function* typings(text: string): Generator<string> {
  const plain = typed.reduce((result, [sign, plainText]) => result.replace(sign, plainText), text);
  for (const long of ['--', '---'])
    for (const short of plain.includes('&#8211;') ? ['-', '--'] : [''])
      yield plain.replaceAll('&#8212;', long).replaceAll('&#8211;', short);
  for (const [sign] of typed)
    yield typed.reduce((result, [each, plainText]) => (each === sign ? result : result.replace(each, plainText)), text);
  for (const [sign, plainText] of typed) yield text.replace(sign, plainText);
}

/** The inverse of {@link renderTitle}: a title or name that renders to `shown`, for every output of the renderer. */
export const unrenderTitle = (rendered: string): string => faithful(rendered, renderTitle, typings(rendered));

/** The inverse of {@link renderContent}. */
export const unrenderContent = (rendered: string): string => faithful(rendered, renderContent, contents(rendered));

/** The inverse of {@link renderExcerpt}. */
export const unrenderExcerpt = (rendered: string): string => faithful(rendered, renderExcerpt, contents(rendered));

function* contents(rendered: string): Generator<string> {
  if (rendered === '') return yield '';
  const loose = withoutParagraphs(rendered);
  yield* typings(loose);
  yield loose;
  const body = rendered.replace(/^<p>|<\/p>$/g, '');
  yield* typings(body.replaceAll('</p>\n<p>', '\n\n').replaceAll('<br />\n', '\n'));
  yield body;
  yield* typings(rendered);
}

/** Replaces paragraphs and breaks with newlines. */
function withoutParagraphs(html: string): string {
  const pieces = splitMarkup(html);
  let text = '';
  pieces.forEach((piece, at) => {
    if (piece === '<p>') return;
    if (piece === '</p>') text += at === pieces.length - 1 ? '' : '\n';
    else if (piece === '<br />' && pieces[at + 1]?.startsWith('\n')) return;
    else if (piece === '<img decoding="async"' || tagName(piece) === 'img') text += piece.replace('<img decoding="async" ', '<img ');
    else text += piece;
  });
  return text;
}

// biome-ignore format: a table
const faces: Record<string, string> = {
  ':)': '🙂', ':-)': '🙂', ':smile:': '🙂', ':D': '😀', ':-D': '😀', ':grin:': '😀', ';)': '😉', ';-)': '😉', ':wink:': '😉',
  ':(': '🙁', ':-(': '🙁', ':sad:': '🙁', ':P': '😛', ':-P': '😛', ':razz:': '😛', ':|': '😐', ':-|': '😐', ':neutral:': '😐',
  ':o': '😮', ':-o': '😮', ':eek:': '😮', '8O': '😯', '8-O': '😯', ':shock:': '😯', ':?': '😕', ':-?': '😕', ':???:': '😕',
  ':x': '😡', ':-x': '😡', ':mad:': '😡', '8-)': '😎', ':cool:': '😎', ':cry:': '😥', ':lol:': '😆', ':oops:': '😳',
  ':evil:': '👿', ':twisted:': '😈', ':arrow:': '➡', ':idea:': '💡', ':!:': '❗', ':?:': '❓',
};

const verbatim = new Set(['pre', 'code', 'script', 'style', 'textarea']);

/** Replaces smilies made of punctuation, between spaces, by emoji; code stays as it is. */
function replaceSmilies(html: string): string {
  if (!/[:;8]/.test(html)) return html;
  let inside = '';
  return splitMarkup(html)
    .map((piece) => {
      if (!piece.startsWith('<')) return inside ? piece : piece.replace(/[^\s\u00a0]+/g, (word) => faces[word] ?? word);
      const tag = tagName(piece);
      if (!inside && verbatim.has(tag)) inside = tag;
      else if (tag === `/${inside}`) inside = '';
      return piece;
    })
    .join('');
}
