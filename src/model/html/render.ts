import { paragraphs } from './paragraphs.ts';
import { splitMarkup, tagName, trimSpace, withoutBlockMarks } from './tokens.ts';

const verbatimTags = new Set(['pre', 'code', 'kbd', 'style', 'script', 'tt']);

const bareAmpersand = /&(?!#(?:\d+|x[a-f0-9]+);|[a-z1-4]{1,8};)/gi;

const shortcode = /\[\/?(?:gallery|playlist|caption|audio|video|embed)(?:\s[^[\]]*)?\/?\]/g;

/** Words that start with an apostrophe, not with an opening quote. */
const clipped = /'(?=tain't|twere|twas|tis|twill|til|bout|nuff|round|cause|em)/g;

const marks = {
  "'": { open: '&#8216;', close: '&#8217;', prime: '&#8242;' },
  '"': { open: '&#8220;', close: '&#8221;', prime: '&#8243;' },
};
type Quote = keyof typeof marks;
const apostrophe = '&#8217;';

/** Matches any text that typesetting would change. */
const typesettable = /[<&'"`-]|\.\.\.| \(tm\)|[\d.,]x\d/;

/** Sets typographic quotes, dashes, ellipses and signs, and encodes bare ampersands. Tags, code and shortcodes stay as they are (`events.create.title.entities`). */
function smartQuotes(html: string): string {
  if (!typesettable.test(html)) return html;
  const open: string[] = [];
  return splitMarkup(html)
    .map((piece) => {
      if (piece.startsWith('<!--')) return piece;
      if (!piece.startsWith('<')) return open.length > 0 ? piece : aroundShortcodes(piece);
      follow(tagName(piece), open);
      return encodeAmpersands(piece);
    })
    .join('');
}

/** Encodes ampersands that start no character reference. */
function encodeAmpersands(text: string): string {
  return text.replace(bareAmpersand, '&#038;');
}

function follow(tag: string, open: string[]): void {
  if (verbatimTags.has(tag)) open.push(tag);
  else if (open.length > 0 && tag === `/${open.at(-1)}`) open.pop();
}

function aroundShortcodes(text: string): string {
  let done = '';
  let from = 0;
  for (const match of text.matchAll(shortcode)) {
    done += typesetText(text.slice(from, match.index)) + match[0];
    from = match.index + match[0].length;
  }
  return done + typesetText(text.slice(from));
}

function typesetText(text: string): string {
  let result = text.replaceAll('...', '&#8230;').replaceAll(' (tm)', ' &#8482;');
  result = result.replaceAll('``', '&#8220;').replaceAll("''", '&#8221;').replace(clipped, apostrophe);
  if (result.includes("'")) result = curl(result, "'");
  if (result.includes('"')) result = curl(result, '"');
  return encodeAmpersands(dashes(result).replace(/x(?<=\b(?:0[\d.,]+|[1-9][\d.,]*)x)(?=\d)/g, '&#215;'));
}

function dashes(text: string): string {
  if (!text.includes('-')) return text;
  return text
    .replaceAll('---', '&#8212;')
    .replace(/(?<=^|[\s\u00a0]|&nbsp;)--(?=$|[\s\u00a0]|&nbsp;)/g, '&#8212;')
    .replace(/(?<!xn)--/g, '&#8211;')
    .replace(/(?<=^|[\s\u00a0]|&nbsp;)-(?=$|[\s\u00a0]|&nbsp;)/g, '&#8211;');
}

/**
 * Sets one kind of quotes in a single pass. The neighbors of a mark decide its role; after a digit it closes an open quotation, or
 * is a prime (feet, inches) when none is open.
 */
function curl(text: string, quote: Quote): string {
  const places = [...text.matchAll(new RegExp(quote, 'g'))].map((match) => match.index);
  const roles = places.map((at) => roleOf(text, at, quote));
  settle(text, places, roles, quote);
  let done = '';
  let from = 0;
  places.forEach((at, index) => {
    done += text.slice(from, at) + signOf(roles[index]!, quote);
    from = at + 1;
  });
  return done + text.slice(from);
}

function signOf(role: Role, quote: Quote): string {
  if (role === 'open' || role === 'prime') return marks[quote][role];
  return role === 'apostrophe' ? apostrophe : marks[quote].close;
}

type Role = 'open' | 'apostrophe' | 'end' | 'other' | 'close' | 'prime';

const opener = /(?:^|[([{"\-\s\u00a0]|&lt;|&nbsp;)$/;
const ender = /^(?:$|[.,:;!?)}\-\]\s\u00a0]|&gt;|&nbsp;)/;
const space = /^(?:[\s\u00a0]|&nbsp;)/;

function roleOf(text: string, at: number, quote: Quote): Role {
  const before = text.slice(Math.max(0, at - 6), at);
  const after = text.slice(at + 1, at + 8);
  if (quote === "'" && isYear(after)) return 'apostrophe';
  const opens = opener.test(before) && !(quote === '"' && (space.test(after) || before.endsWith('"')));
  if (opens) return 'open';
  if (ender.test(after)) return 'end';
  return quote === "'" && !/[\s\u00a0]$|&nbsp;$/.test(before) && !/^(?:["'({[]|&lt;)/.test(after) ? 'apostrophe' : 'other';
}

/** `'99`, `'99s`; not `'9`, `'99%`, `'999`, `'99.5`. */
function isYear(after: string): boolean {
  return /^\d\d(?![%\d]|[.,]\d)/.test(after);
}

/** Decides the marks that their neighbors leave open, section by section up to the next opening quote. */
function settle(text: string, places: number[], roles: Role[], quote: Quote): void {
  let start = 0;
  for (let next = 0; next <= places.length; next++) {
    if (next < places.length && roles[next] !== 'open') continue;
    const inside = places.slice(start, next).map((at, index) => ({ at, index: start + index }));
    const quoted = start > 0 && !text.slice(places[start - 1], places[next]).includes(marks[quote].close);
    settleSentence(text, inside, roles, quoted);
    start = next + 1;
  }
}

interface Place {
  at: number;
  index: number;
}

function settleSentence(text: string, inside: Place[], roles: Role[], quoted: boolean): void {
  const afterDigit = (place: Place) => /\d/.test(text.charAt(place.at - 1));
  const ends = inside.filter((place) => roles[place.index] === 'end');
  const closing = quoted ? closers(text, ends, afterDigit) : [];
  for (const place of inside) {
    const role = roles[place.index];
    if (role === 'apostrophe') continue;
    roles[place.index] = closesNumber(text, place) || closing.includes(place) || !afterDigit(place) ? 'close' : 'prime';
  }
}

/** The candidates that close a quotation rather than measure feet and inches. */
function closers(text: string, ends: Place[], afterDigit: (place: Place) => boolean): Place[] {
  const clear = ends.filter((place) => !afterDigit(place));
  if (ends.length < 2 || clear.length > 0) return ends.length < 2 ? ends : clear;
  return [ends.findLast((place) => text.charAt(place.at + 1) === '.') ?? ends.at(-1)!];
}

/** The end of `'99'` and of `"12.5"`. */
function closesNumber(text: string, { at }: Place): boolean {
  return /(?:(?:^|[\s\u00a0])['"]\d[\d.,]*|(?:'|&#8217;)\d\d)$/.test(text.slice(Math.max(0, at - 24), at));
}

/** Renders a title or name for responses: HTML with typographic characters. */
export function renderTitle(raw: string): string {
  return trimSpace(smartQuotes(raw));
}

/** Renders a description for responses: paragraphs, line breaks and typographic characters, without `[gallery]` shortcodes. */
export function renderContent(raw: string): string {
  return trimSpace(replaceSmilies(decodeImagesLater(dropGalleries(paragraphs(smartQuotes(withoutBlockMarks(raw)))))));
}

/** Renders an excerpt for responses. */
export function renderExcerpt(raw: string): string {
  return trimSpace(decodeImagesLater(paragraphs(encodeAmpersands(replaceSmilies(smartQuotes(withoutBlockMarks(raw)))))));
}

/** Drops shortcodes that show images, with a paragraph that holds nothing else. Tags and comments stay whole: a part of one could run as a script. */
export function dropGalleries(html: string): string {
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

type Typed = [sign: RegExp, text: string];
/** Quotes and the text that produces them. */
const typedQuotes: Typed[] = [
  [/&#821[67];|&#8242;/g, "'"],
  [/&#822[01];|&#8243;/g, '"'],
];
/** Other rendered characters and the text that produces them. A dash between spaces comes from a shorter one ({@link dashes}). */
const typedSigns: Typed[] = [
  [/&#8230;/g, '...'],
  [/&#8482;/g, '(tm)'],
  [/&#215;/g, 'x'],
  [/&#0?38;/g, '&'],
  [/(?<=^|[\s>])&#8212;(?=$|[\s<])/g, '--'],
  [/&#8212;/g, '---'],
  [/(?<=^|[\s>])&#8211;(?=$|[\s<])/g, '-'],
  [/&#8211;/g, '--'],
];

/** Length of a text above which it stays as it was rendered: rendering it to check a guess takes time that a foreign text decides. */
const maxUnrendered = 20_000;

const untypeset = (text: string, typed: Typed[]) => typed.reduce((result, [sign, typedText]) => result.replace(sign, typedText), text);

/**
 * A text that renders to `rendered`: as it was probably typed, else with its quotes as they are, since their neighbors decide
 * them, else `rendered` itself. Texts over 20 KB stay as they are.
 */
function unrender(rendered: string, render: (raw: string) => string, text = rendered): string {
  if (rendered.length > maxUnrendered) return rendered;
  const quoted = untypeset(text, typedSigns);
  return [untypeset(quoted, typedQuotes), quoted].find((candidate) => render(candidate) === rendered) ?? rendered;
}

/** The inverse of {@link renderTitle}: a title or name that renders to `rendered`, for every output of the renderer. */
export const unrenderTitle = (rendered: string): string => unrender(rendered, renderTitle);

/** The inverse of {@link renderContent}. */
export const unrenderContent = (rendered: string): string => unrender(rendered, renderContent, withoutParagraphs(rendered));

/** The inverse of {@link renderExcerpt}. */
export const unrenderExcerpt = (rendered: string): string => unrender(rendered, renderExcerpt, withoutParagraphs(rendered));

/** Replaces paragraphs and breaks with newlines. */
const withoutParagraphs = (html: string): string =>
  html
    .replaceAll('<p>', '')
    .replace(/<\/p>$/, '')
    .replaceAll('</p>', '\n')
    .replaceAll('<br />\n', '\n')
    .replaceAll('<img decoding="async" ', '<img ');

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
