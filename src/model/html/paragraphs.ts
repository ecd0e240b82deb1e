import { blocks, breakTag, isBlank, Pieces, splitBlocks } from './blocks.ts';
import { splitMarkup, tagName } from './tokens.ts';

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
