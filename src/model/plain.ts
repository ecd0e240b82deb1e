import { cleanHtml } from './html.ts';
import { splitMarkup, tagOf } from './markup.ts';

/** The named character references of Latin-1, in order from U+00A0. */
const latin =
  'nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest ' +
  'Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig ' +
  'agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml';
const others: Record<string, string> = {
  ...{ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", hellip: '…', ndash: '–', mdash: '—', lsquo: '‘', rsquo: '’', sbquo: '‚' },
  ...{ ldquo: '“', rdquo: '”', bdquo: '„', bull: '•', euro: '€', trade: '™', prime: '′', Prime: '″', lsaquo: '‹', rsaquo: '›' },
};
const named = new Map([...latin.split(' ').map((name, at) => [name, String.fromCharCode(160 + at)] as const), ...Object.entries(others)]);

/** A text with its character references replaced by what they stand for; unknown ones stay. */
export const decoded = (html: string): string =>
  html.includes('&') ? html.replace(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z][a-z0-9]{1,7}));/gi, characterOf) : html;

function characterOf(whole: string, decimal?: string, hex?: string, name?: string): string {
  if (name) return named.get(name) ?? whole;
  const code = decimal ? Number(decimal) : Number.parseInt(hex!, 16);
  return code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff) ? String.fromCodePoint(code) : whole;
}

/** A text typed without markup as HTML that shows it: `<` and what would be read as a character reference are encoded. */
export const encoded = (text: string): string => text.replace(/&(?=#?[a-z0-9]+;)/gi, '&amp;').replaceAll('<', '&lt;');

const apart = new Set(
  'p /p div /div h1 /h1 h2 /h2 h3 /h3 h4 /h4 h5 /h5 h6 /h6 ul /ul ol /ol table /table blockquote /blockquote pre /pre hr'.split(' '),
);
const below = new Set(['br', '/li', '/tr', '/dt', '/dd']);

/** Rendered HTML as plain text: paragraphs apart by a blank line, breaks and list items by a line. */
export function textOf(html: string): string {
  let text = '';
  let skipping = '';
  for (const piece of splitMarkup(html)) {
    const tag = tagOf(piece);
    if (skipping) skipping = tag === `/${skipping}` ? '' : skipping;
    else if (tag === 'script' || tag === 'style') skipping = tag;
    else if (apart.has(tag)) text += '\n\n';
    else if (below.has(tag)) text += '\n';
    else if (tag === 'li') text += '- ';
    else if (!tag && !piece.startsWith('<!--')) text += decoded(piece.replace(/[\r\n]+/g, text.endsWith('\n') ? '' : ' '));
  }
  return text
    .replace(/[ \t]+\n/g, '\n')
    .replace(/\n[ \t]+/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}

/** Rendered HTML of one line, like a title, as plain text. */
export const lineOf = (html: string): string => textOf(html).replace(/\s*\n\s*/g, ' ');

const likeHtml = /<br\s*\/?>|<\/(?:a|b|div|em|i|li|ol|p|span|strong|u|ul)>/i;

/** A description as it is stored: some programs write HTML where plain text belongs. */
export const asHtml = (description: string): string => (likeHtml.test(description) ? cleanHtml(description, false) : encoded(description));
