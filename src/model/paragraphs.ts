import { blocks, breakTag, chunks, isBlank, joinTexts } from './chunks.ts';
import { splitMarkup, tagOf } from './markup.ts';

/** The reference takes any tag starting like a block for one when it tidies up (`<picture>`, `<link>`). */
const blockLike = new RegExp(`^</?(?:${blocks.join('|')}).*>$`, 'is');
const breaksBefore = /^<\/?(?:p|li|div|dl|dd|dt|th|pre|td|ul|ol)[^>]*>$/i;

/** Markup, and white space beside a newline or at an end: where there is none of it, lines are simply lines. */
const unusual = /[<\r]|[^\S\n]\n|\n[^\S\n]|^\s|\s$/;
const plainParagraph = (lines: string) => `<p>${lines.replaceAll('\n', '<br />\n')}</p>`;

/** HTML with paragraphs and line breaks made of its newlines; block elements, preformatted texts and scripts are left alone. */
export function paragraphs(html: string): string {
  if (isBlank(html)) return '';
  if (!unusual.test(html))
    return html
      .split(/\n{2,}/)
      .map(plainParagraph)
      .join('\n');
  const pieces = splitMarkup(html.replaceAll('\r\n', '\n').replaceAll('\r', '\n'));
  const wrapped = chunks(pieces).flatMap((chunk) => [openP, ...chunk, closeP, '\n']);
  return addBreaks(unwrap(joinTexts(wrapped)))
    .join('')
    .replace(/\n<\/p>$/, closeP);
}

const openP = '<p>';
const closeP = '</p>';

function isBlock(piece: string | undefined): boolean {
  return piece?.startsWith('<') === true && blockLike.test(piece);
}

interface Change {
  /** How many pieces are replaced, and by what. */
  take: number;
  put: string[];
}

/** Goes through the pieces once, replacing where a rule applies; what was put is not looked at again. */
function rewrite(pieces: string[], rule: (pieces: string[], at: number) => Change | undefined): string[] {
  const out: string[] = [];
  for (let at = 0; at < pieces.length; ) {
    const change = rule(pieces, at);
    if (change) for (const piece of change.put) out.push(piece);
    else out.push(pieces[at]!);
    at += change?.take ?? 1;
  }
  return out;
}

function afterBlank(pieces: string[], at: number): number {
  return isBlank(pieces[at]) ? at + 1 : at;
}

/** Takes the paragraph marks away from block elements, in the reference's order of doing so. */
function unwrap(pieces: string[]): string[] {
  return [dropEmpty, closeBeforeEnd, unwrapLone, unwrapItem, openInQuote, closeInQuote, dropOpen, dropClose].reduce(
    (current, rule) => joinTexts(rewrite(current, rule)),
    pieces,
  );
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
  return isBlock(pieces[block]) && pieces[end] === closeP ? { take: end + 1 - at, put: [pieces[block]!] } : undefined;
}

function unwrapItem(pieces: string[], at: number): Change | undefined {
  if (pieces[at] !== openP || !pieces[at + 1]?.startsWith('<li')) return undefined;
  let end = at + 2;
  while (end < pieces.length && pieces[end] !== closeP && !pieces[end]!.includes('\n')) end++;
  return pieces[end] === closeP ? { take: end + 1 - at, put: pieces.slice(at + 1, end) } : undefined;
}

function openInQuote(pieces: string[], at: number): Change | undefined {
  return pieces[at] === openP && tagOf(pieces[at + 1] ?? '') === 'blockquote' ? { take: 2, put: [pieces[at + 1]!, openP] } : undefined;
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
  return isBlock(pieces[at]) && pieces[end] === closeP ? { take: end + 1 - at, put: [pieces[at]!] } : undefined;
}

const lineBreak = '<br />';

/** Makes newlines within a paragraph line breaks. */
function addBreaks(pieces: string[]): string[] {
  const broken = pieces.flatMap((piece, index) => {
    if (breakTag.test(piece)) return [lineBreak];
    return piece.startsWith('<') ? [piece] : breakLines(piece, breakTag.test(pieces[index - 1] ?? ''));
  });
  return rewrite(
    rewrite(
      broken.filter((piece) => piece !== ''),
      dropBreakAfter,
    ),
    dropBreakBefore,
  );
}

function breakLines(text: string, afterBreak: boolean): string[] {
  const lines = text.split('\n');
  return lines.flatMap((line, index) => {
    const start = index > 0 ? `\n${line}` : line;
    if (index === lines.length - 1) return [start];
    if (index === 0 && afterBreak && line === '') return [];
    return [trimEndSpaces(start, index > 0 ? 1 : 0), lineBreak];
  });
}

function trimEndSpaces(text: string, from: number): string {
  let end = text.length;
  while (end > from && ' \t\f\v'.includes(text[end - 1]!)) end--;
  return text.slice(0, end);
}

function dropBreakAfter(pieces: string[], at: number): Change | undefined {
  const found = afterBlank(pieces, at + 1);
  return isBlock(pieces[at]) && pieces[found] === lineBreak ? { take: found + 1 - at, put: [pieces[at]!] } : undefined;
}

function dropBreakBefore(pieces: string[], at: number): Change | undefined {
  const tag = afterBlank(pieces, at + 1);
  if (pieces[at] !== lineBreak || !breaksBefore.test(pieces[tag] ?? '')) return undefined;
  return { take: tag + 1 - at, put: pieces.slice(at + 1, tag + 1) };
}
