const latin =
  'nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro para middot cedil sup1 ' +
  'ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc ' +
  'Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml ' +
  'aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave ' +
  'uacute ucirc uuml yacute thorn yuml';

const others: Record<string, string> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  hellip: '…',
  ndash: '–',
  mdash: '—',
  lsquo: '‘',
  rsquo: '’',
  sbquo: '‚',
  ldquo: '“',
  rdquo: '”',
  bdquo: '„',
  lsaquo: '‹',
  rsaquo: '›',
  bull: '•',
  euro: '€',
  trade: '™',
  dagger: '†',
  permil: '‰',
  prime: '′',
  Prime: '″',
  OElig: 'Œ',
  oelig: 'œ',
  Scaron: 'Š',
  scaron: 'š',
  Yuml: 'Ÿ',
  minus: '−',
  larr: '←',
  uarr: '↑',
  rarr: '→',
  darr: '↓',
  hearts: '♥',
  star: '☆',
  check: '✓',
  ensp: ' ',
  emsp: ' ',
  thinsp: ' ',
  zwnj: '',
  zwj: '\u200d',
};

let named: Map<string, string> | undefined;

function characterNamed(name: string): string | undefined {
  named ??= new Map([...latin.split(' ').map((each, at) => [each, String.fromCharCode(160 + at)] as const), ...Object.entries(others)]);
  return named.get(name);
}

function characterNumbered(code: number): string | undefined {
  const valid = code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff);
  return valid ? String.fromCodePoint(code) : undefined;
}

/** A text with HTML's character references replaced by what they stand for; unknown ones stay as they are. */
export function decodeEntities(html: string): string {
  if (!html.includes('&')) return html;
  return html.replace(/&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|([a-z][a-z0-9]{1,31}));/gi, (reference, hex, decimal, name) => {
    if (name) return characterNamed(name) ?? reference;
    return characterNumbered(hex ? Number.parseInt(hex, 16) : Number(decimal)) ?? reference;
  });
}
