import { splitMarkup, stripMarkup, stripTags, trimSpace } from './tokens.ts';

type Allowed = Record<string, readonly string[]>;

/** Elements, with their attributes, that titles and descriptions of terms may hold (`events.create.title.html-author-role`). */
const allowedInTitles: Allowed = {
  a: ['href', 'title'],
  abbr: ['title'],
  acronym: ['title'],
  b: [],
  blockquote: ['cite'],
  cite: [],
  code: [],
  del: ['datetime'],
  em: [],
  i: [],
  q: ['cite'],
  s: [],
  strike: [],
  strong: [],
};

const everywhere = ['class', 'dir', 'hidden', 'id', 'lang', 'style', 'title', 'role', 'xml:lang', 'data-*', 'aria-*'];
const table = ['align', 'bgcolor', 'border', 'cellpadding', 'cellspacing', 'rules', 'summary', 'width'];
const cell = [
  'abbr',
  'align',
  'axis',
  'bgcolor',
  'char',
  'charoff',
  'colspan',
  'headers',
  'height',
  'nowrap',
  'rowspan',
  'scope',
  'valign',
  'width',
];
const media = ['autoplay', 'controls', 'height', 'loop', 'muted', 'playsinline', 'poster', 'preload', 'src', 'width'];

const withAttributes: Allowed = {
  a: ['href', 'rel', 'rev', 'name', 'target', 'download'],
  area: ['alt', 'coords', 'href', 'nohref', 'shape', 'target'],
  audio: media,
  blockquote: ['cite'],
  br: ['clear'],
  button: ['disabled', 'name', 'type', 'value'],
  caption: ['align'],
  col: ['align', 'span', 'valign', 'width'],
  colgroup: ['align', 'span', 'valign', 'width'],
  del: ['datetime', 'cite'],
  details: ['align', 'open'],
  div: ['align'],
  font: ['color', 'face', 'size'],
  hr: ['align', 'noshade', 'size', 'width'],
  img: ['alt', 'align', 'border', 'height', 'hspace', 'loading', 'longdesc', 'vspace', 'src', 'srcset', 'sizes', 'usemap', 'width'],
  ins: ['datetime', 'cite'],
  label: ['for'],
  legend: ['align'],
  li: ['align', 'value'],
  map: ['name'],
  ol: ['start', 'type', 'reversed'],
  p: ['align'],
  pre: ['width'],
  q: ['cite'],
  table,
  td: cell,
  textarea: ['cols', 'rows', 'disabled', 'name', 'readonly'],
  th: cell,
  time: ['datetime'],
  tr: ['align', 'bgcolor', 'valign'],
  track: ['default', 'kind', 'label', 'src', 'srclang'],
  ul: ['type'],
  video: media,
};

const plain =
  'abbr acronym address article aside b bdo big cite code dd dfn dl dt em fieldset figcaption figure footer h1 h2 h3 h4 h5 h6 header hgroup i kbd main mark menu nav rb rp rt rtc ruby s samp section small span strike strong sub summary sup tbody tfoot thead tt u var';

/** Elements, with their attributes, that descriptions and excerpts may hold (`events.create.description.html-author-role`). */
export const allowedInTexts: Allowed = Object.fromEntries([
  ...plain.split(' ').map((name) => [name, everywhere]),
  ...Object.entries(withAttributes).map(([name, attributes]) => [name, [...everywhere, ...attributes]]),
]);

const addresses = new Set(['action', 'cite', 'href', 'longdesc', 'poster', 'src']);
const safeSchemes = new Set(
  'http https ftp ftps mailto news irc irc6 ircs gopher nntp feed telnet mms rtsp sms svn tel fax xmpp webcal urn'.split(' '),
);

/** Removes all but the allowed elements and attributes; the texts within other elements stay. Encodes stray `<`, `>` and `&`. */
export function sanitize(html: string, allowed: Allowed): string {
  return splitMarkup(html.replaceAll('\0', ''))
    .map((piece) => {
      if (!piece.startsWith('<')) return encodeText(piece);
      if (piece.startsWith('<!--')) return piece.endsWith('-->') ? cleanComment(piece, allowed) : '';
      return cleanTag(piece, allowed);
    })
    .join('');
}

/**
 * A comment that ends where it seems to: HTML ends one at `<!-->`, `<!--->` and `--!>` too, so that it may hold neither two dashes in a
 * row nor a stray `>`. What is in it is cleaned like any text.
 */
function cleanComment(piece: string, allowed: Allowed): string {
  const inside = piece.slice(4).replaceAll('<!--', '').replaceAll('-->', '');
  // Taking marks out can join the halves of another.
  if (inside === '' || inside.includes('<!--')) return '';
  return `<!--${sanitize(inside, allowed).replace(/--+/g, '-').replace(/-$/, '')}-->`;
}

/** Encodes `&`, `<` and `>`; character references already there are left. */
function encodeText(text: string): string {
  return text
    .replace(/&(?!(?:[a-z][a-z0-9]{0,30}|#\d{1,7}|#x[0-9a-f]{1,6});)/gi, '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');
}

function cleanTag(piece: string, allowed: Allowed): string {
  const parts = /^<\s*(?:(\/)\s*)?([a-z][a-z0-9-]*)(?![a-z0-9-])([^>]*)>$/i.exec(piece);
  if (!parts) return piece.endsWith('>') && /^<[/!?]/.test(piece) ? '' : encodeText(piece);
  const [, slash = '', name, rest] = parts as unknown as [string, string | undefined, string, string];
  const attributes = Object.hasOwn(allowed, name.toLowerCase()) ? allowed[name.toLowerCase()] : undefined;
  if (!attributes) return '';
  if (slash) return `</${name}>`;
  const safe = attributesOf(rest).filter((attribute) => isSafe(attribute, attributes));
  return `<${[name, ...safe.map((attribute) => attribute.source)].join(' ')}${rest.trimEnd().endsWith('/') ? ' /' : ''}>`;
}

interface Attribute {
  name: string;
  value: string;
  source: string;
}

function attributesOf(rest: string): Attribute[] {
  return [...rest.matchAll(/([a-z_:][a-z0-9_:.-]*)(?:\s*=\s*("[^"]*"|'[^']*'|[^\s"'>]+))?/gi)].map(([, name, typed]) => {
    const value = (typed ?? '').replace(/^["']|["']$/g, '');
    const quote = typed?.startsWith("'") ? "'" : '"';
    return { name: name!, value, source: typed === undefined ? name! : `${name}=${quote}${withoutScheme(name!, value)}${quote}` };
  });
}

function isSafe({ name, value }: Attribute, allowed: readonly string[]): boolean {
  const property = name.toLowerCase();
  if (!allowed.includes(property) && !allowed.includes(property.replace(/-.*/s, '-*'))) return false;
  return property !== 'style' || !/[\\(&}=]|\/\*/.test(value);
}

/** Encodes the value of an attribute; an address loses a scheme that could run scripts. */
function withoutScheme(name: string, value: string): string {
  const encoded = encodeText(value);
  if (!addresses.has(name.toLowerCase())) return encoded;
  let rest = encoded;
  while (!safeSchemes.has(schemeOf(rest) || 'http')) {
    rest = rest
      .slice(rest.search(colon) + 1)
      .replace(/^(?:#0*58;|#x0*3a;|colon;)/i, '')
      .trimStart();
  }
  return rest;
}

const colon = /:|&(?=#0*58;|#x0*3a;|colon;)/i;

function schemeOf(address: string): string {
  const end = address.search(colon);
  if (end < 0 || /[?#/]/.test(address.slice(0, end).replace(/&#[\dx]/gi, ''))) return '';
  const scheme = address
    .slice(0, end)
    .replace(/&[^;\s]*(;?)/g, (reference, ending) => (ending ? '' : reference))
    .replace(/[^a-z0-9+.-]/gi, '')
    .toLowerCase();
  return scheme || 'unknown';
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

/** Encodes a text for HTML, but keeps the character references that it contains. */
export function escapeHtml(text: string): string {
  return encodeText(text).replaceAll('"', '&quot;').replaceAll("'", '&#039;');
}

/** Encodes a text for HTML, also in attributes. */
export const textToHtml = (text: string): string => escapeHtml(text.replaceAll('&', '&amp;'));

/** A value as JSON in a script element, which nothing in it can end. */
export const scriptJson = (value: unknown): string => JSON.stringify(value).replaceAll('<', '\\u003c');
