import { splitMarkup, tagName } from './tokens.ts';

/** Block elements, which are not part of paragraphs. */
const blocks =
  'table thead tfoot caption col colgroup tbody tr td th div dl dd dt ul ol li pre form map area blockquote address style p h1 h2 h3 h4 h5 h6 hr fieldset legend section article aside hgroup header footer nav figure figcaption details menu summary'.split(
    ' ',
  );
const blockNames = new Set(blocks);

/** Matches a `<br>` tag. */
const breakTag = /^<br\s*\/?>$/i;

/** True if a piece exists and contains only white space. A no-break space counts as text. */
function isBlank(piece: string | undefined): boolean {
  return piece !== undefined && /^[ \t\n\r\f\v]*$/.test(piece);
}

/** Splits HTML before opening and after closing block tags and at blank lines, but not beside tags like `<source>` that allow no paragraph there. */
function splitBlocks(markup: string[]): string[][] {
  const pieces = joinTexts(blankLines(tidySpaces(joinWhole(markup))));
  const all: string[][] = [[]];
  let last = '';
  let isCut = false;
  for (const piece of pieces) {
    const [first, ...others] = piece.startsWith('<') ? [piece] : piece.split(/\n[ \t\n\r\f\v]*\n/);
    if ((isCut || startsChunk(piece)) && !tightBefore.test(piece) && !tightAfter.test(last)) all.push([]);
    all.at(-1)!.push(first!);
    for (const part of others) all.push([part]);
    last = piece;
    isCut = endsChunk(piece);
  }
  return all.map(trimNewlines).filter((block) => block.length > 0);
}

const wholes = ['pre', 'script', 'style', 'svg'];

/** Joins each `<pre>…</pre>` and the like into one piece, so that no newline in it is looked at. */
function joinWhole(pieces: string[]): string[] {
  const tags = pieces.map(tagName);
  const last = new Map(wholes.map((name) => [name, tags.lastIndexOf(`/${name}`)]));
  const joined: string[] = [];
  let inside = '';
  pieces.forEach((piece, index) => {
    const tag = tags[index]!;
    if (inside) joined[joined.length - 1] += piece;
    else joined.push(piece);
    if (tag === `/${inside}`) inside = '';
    else if (!inside && (last.get(tag) ?? -1) > index) inside = tag;
  });
  return joined;
}

/** Joins neighboring texts and drops empty pieces. */
function joinTexts(pieces: string[]): string[] {
  const joined = new Pieces();
  for (const piece of pieces) joined.add(piece);
  return joined.all();
}

/** Collects pieces: a text is joined to one before it, an empty piece is left out. Texts are joined once, however many stand together. */
class Pieces {
  readonly #all: string[];
  #texts: string[] = [];

  /** `first` are pieces that are joined already. */
  constructor(first: string[] = []) {
    this.#all = first;
    if (first.length > 0 && !first.at(-1)!.startsWith('<')) this.#texts = [first.pop()!];
  }

  add(piece: string): void {
    if (piece.startsWith('<')) {
      this.#join();
      this.#all.push(piece);
    } else if (piece !== '') this.#texts.push(piece);
  }

  all(): string[] {
    this.#join();
    return this.#all;
  }

  #join(): void {
    if (this.#texts.length === 0) return;
    this.#all.push(this.#texts.length === 1 ? this.#texts[0]! : this.#texts.join(''));
    this.#texts = [];
  }
}

const tightAfter = /^<(?:object|audio|video|param|embed|source|track|option|\/param|\/embed|\/figcaption|\/option)(?:\s[^>]*)?\/?>$/i;
const tightBefore = /^<(?:\/object|\/audio|\/video|param|embed|source|track|option|\/param|\/embed|figcaption)(?:\s[^>]*)?\/?>$/i;

/** Drops white space around tags like `<source>`. */
function tidySpaces(pieces: string[]): string[] {
  return pieces.map((piece, index) => {
    if (piece.startsWith('<')) return piece;
    const start = tightAfter.test(pieces[index - 1] ?? '') ? piece.trimStart() : piece;
    return tightBefore.test(pieces[index + 1] ?? '') ? start.trimEnd() : start;
  });
}

/** Replaces two `<br>` in a row with a blank line. */
function blankLines(pieces: string[]): string[] {
  const out: string[] = [];
  for (let at = 0; at < pieces.length; at++) {
    const next = isBlank(pieces[at + 1]) ? at + 2 : at + 1;
    if (breakTag.test(pieces[at]!) && breakTag.test(pieces[next] ?? '')) {
      out.push('\n\n');
      at = next;
    } else out.push(pieces[at]!);
  }
  return out;
}

function startsChunk(piece: string): boolean {
  return blockNames.has(firstTag(piece));
}

/** A whole `<style>…</style>` counts as its closing tag. */
function endsChunk(piece: string): boolean {
  if (!piece.startsWith('<')) return false;
  const tag = tagName(piece);
  return tag === 'hr' || (tag.startsWith('/') && blockNames.has(tag.slice(1))) || (/<\/(?:pre|style)>$/i.test(piece) && startsChunk(piece));
}

function firstTag(piece: string): string {
  return /^<([a-z][a-z0-9:-]*)/i.exec(piece)?.[1]?.toLowerCase() ?? '';
}

function trimNewlines(block: string[]): string[] {
  const last = block.length - 1;
  if (block[0]?.startsWith('<') && block[last]!.startsWith('<')) return block;
  const trimmed = [...block];
  if (trimmed[0] && !trimmed[0].startsWith('<')) trimmed[0] = trimmed[0].replace(/^\n+/, '');
  if (last >= 0 && !trimmed[last]!.startsWith('<')) trimmed[last] = trimEndNewlines(trimmed[last]!);
  return trimmed.filter((piece) => piece !== '');
}

function trimEndNewlines(text: string): string {
  let end = text.length;
  while (end > 0 && text[end - 1] === '\n') end--;
  return text.slice(0, end);
}

/** Matches a tag whose name starts like that of a block (`<picture>` like `<p>`, `<link>` like `<li>`): the reference drops paragraph marks beside these too. */
const blockLike = new RegExp(`^</?(?:${blocks.join('|')}).*>$`, 'is');
const breaksBefore = /^<\/?(?:p|li|div|dl|dd|dt|th|pre|td|ul|ol)[^>]*>$/i;

/** Matches markup, and white space beside a newline or at an end. A text without any needs only its newlines replaced. */
const unusual = /[<\r]|[^\S\n]\n|\n[^\S\n]|^\s|\s$/;
const plainParagraph = (lines: string) => `<p>${lines.replaceAll('\n', '<br />\n')}</p>`;

/** Turns blank lines into paragraphs and newlines into `<br />`, but not within block elements, preformatted texts and scripts (`events.create.description.*`). */
export function paragraphs(html: string): string {
  if (isBlank(html)) return '';
  if (!unusual.test(html))
    return html
      .split(/\n{2,}/)
      .map(plainParagraph)
      .join('\n');
  const pieces = splitMarkup(html.replaceAll('\r\n', '\n').replaceAll('\r', '\n'));
  const wrapped = new Pieces();
  for (const block of splitBlocks(pieces)) {
    wrapped.add(openP);
    for (const piece of block) wrapped.add(piece);
    wrapped.add(closeP);
    wrapped.add('\n');
  }
  return addBreaks(unwrap(wrapped.all()))
    .join('')
    .replace(/\n<\/p>$/, closeP);
}

const openP = '<p>';
const closeP = '</p>';

function isBlock(piece: string | undefined): boolean {
  return piece?.startsWith('<') === true && blockLike.test(piece);
}

interface Change {
  /** The number of pieces to replace. */
  take: number;
  put: string[];
}

/** Applies a rule at each piece from left to right; a replacement is not looked at again. Texts that come to stand together are joined. */
function rewrite(pieces: string[], rule: (pieces: string[], at: number) => Change | undefined): string[] {
  let out: Pieces | undefined;
  for (let at = 0; at < pieces.length; ) {
    const change = rule(pieces, at);
    if (change) {
      out ??= new Pieces(pieces.slice(0, at));
      for (const piece of change.put) out.add(piece);
    } else out?.add(pieces[at]!);
    at += change?.take ?? 1;
  }
  return out?.all() ?? pieces;
}

function afterBlank(pieces: string[], at: number): number {
  return isBlank(pieces[at]) ? at + 1 : at;
}

/** Removes paragraph marks around block elements. The order of the rules decides (`events.create.description.html`). */
function unwrap(pieces: string[]): string[] {
  return [dropEmpty, closeBeforeEnd, unwrapLone, unwrapItem, openInQuote, closeInQuote, dropOpen, dropClose].reduce(rewrite, pieces);
}

function dropEmpty(pieces: string[], at: number): Change | undefined {
  if (pieces[at] !== openP) return undefined;
  const end = afterBlank(pieces, at + 1);
  return pieces[end] === closeP ? { take: end + 1 - at, put: [] } : undefined;
}

function closeBeforeEnd(pieces: string[], at: number): Change | undefined {
  if (pieces[at] !== openP) return undefined;
  const [text, end] = pieces.slice(at + 1, at + 3);
  if (text === undefined || end === undefined || text.startsWith('<')) return undefined;
  return /^<\/(?:div|address|form)>$/i.test(end) ? { take: 3, put: [openP, text, closeP, end] } : undefined;
}

function unwrapLone(pieces: string[], at: number): Change | undefined {
  if (pieces[at] !== openP) return undefined;
  const block = afterBlank(pieces, at + 1);
  const end = afterBlank(pieces, block + 1);
  return pieces[end] === closeP && isBlock(pieces[block]) ? { take: end + 1 - at, put: [pieces[block]!] } : undefined;
}

function unwrapItem(pieces: string[], at: number): Change | undefined {
  if (pieces[at] !== openP || !pieces[at + 1]?.startsWith('<li')) return undefined;
  let end = at + 2;
  while (end < pieces.length && pieces[end] !== closeP && !pieces[end]!.includes('\n')) end++;
  return pieces[end] === closeP ? { take: end + 1 - at, put: pieces.slice(at + 1, end) } : undefined;
}

function openInQuote(pieces: string[], at: number): Change | undefined {
  return pieces[at] === openP && tagName(pieces[at + 1] ?? '') === 'blockquote' ? { take: 2, put: [pieces[at + 1]!, openP] } : undefined;
}

function closeInQuote(pieces: string[], at: number): Change | undefined {
  return pieces[at] === '</blockquote>' && pieces[at + 1] === closeP ? { take: 2, put: [closeP, '</blockquote>'] } : undefined;
}

function dropOpen(pieces: string[], at: number): Change | undefined {
  if (pieces[at] !== openP) return undefined;
  const block = afterBlank(pieces, at + 1);
  return isBlock(pieces[block]) ? { take: block + 1 - at, put: [pieces[block]!] } : undefined;
}

function dropClose(pieces: string[], at: number): Change | undefined {
  const end = afterBlank(pieces, at + 1);
  return pieces[end] === closeP && isBlock(pieces[at]) ? { take: end + 1 - at, put: [pieces[at]!] } : undefined;
}

const lineBreak = '<br />';

/** Turns the newlines that are left into line breaks. */
function addBreaks(pieces: string[]): string[] {
  const broken = new Pieces();
  let afterBreak = false;
  for (const piece of pieces) {
    const isBreak = breakTag.test(piece);
    if (isBreak || piece.startsWith('<')) broken.add(isBreak ? lineBreak : piece);
    else breakLines(piece, afterBreak, broken);
    afterBreak = isBreak;
  }
  return rewrite(rewrite(broken.all(), dropBreakAfter), dropBreakBefore);
}

/** Appends the lines of a text, each from its newline on, with breaks between them. */
function breakLines(text: string, afterBreak: boolean, broken: Pieces): void {
  let start = 0;
  for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', end + 1)) {
    if (end > 0 || !afterBreak) {
      broken.add(trimEndSpaces(text.slice(start, end), start > 0 || text.startsWith('\n') ? 1 : 0));
      broken.add(lineBreak);
    }
    start = end;
  }
  broken.add(text.slice(start));
}

function trimEndSpaces(text: string, from: number): string {
  let end = text.length;
  while (end > from && ' \t\f\v'.includes(text[end - 1]!)) end--;
  return text.slice(0, end);
}

function dropBreakAfter(pieces: string[], at: number): Change | undefined {
  const next = afterBlank(pieces, at + 1);
  return pieces[next] === lineBreak && isBlock(pieces[at]) ? { take: next + 1 - at, put: [pieces[at]!] } : undefined;
}

function dropBreakBefore(pieces: string[], at: number): Change | undefined {
  if (pieces[at] !== lineBreak) return undefined;
  const tag = afterBlank(pieces, at + 1);
  return breaksBefore.test(pieces[tag] ?? '') ? { take: tag + 1 - at, put: pieces.slice(at + 1, tag + 1) } : undefined;
}
