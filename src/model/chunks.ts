import { tagOf } from './markup.ts';

/** Elements that stand in no paragraph. */
export const blocks =
  'table thead tfoot caption col colgroup tbody tr td th div dl dd dt ul ol li pre form map area blockquote address style p h1 h2 h3 h4 h5 h6 hr fieldset legend section article aside hgroup header footer nav figure figcaption details menu summary'.split(
    ' ',
  );
const blockNames = new Set(blocks);

/** A line break typed as a tag. */
export const breakTag = /^<br\s*\/?>$/i;

/** Whether there is a piece, of white space only. A no-break space is something. */
export function isBlank(piece: string | undefined): boolean {
  return piece !== undefined && /^[ \t\n\r\f\v]*$/.test(piece);
}

/** Cuts before opening and after closing block tags and at blank lines, though not beside a tag that takes no space there. */
export function chunks(markup: string[]): string[][] {
  const pieces = joinTexts(blankLines(tidySpaces(joinWhole(markup))));
  const all: string[][] = [[]];
  let last = '';
  let cut = false;
  for (const piece of pieces) {
    const [first, ...others] = piece.startsWith('<') ? [piece] : piece.split(/\n[ \t\n\r\f\v]*\n/);
    if ((cut || startsChunk(piece)) && !tightBefore.test(piece) && !tightAfter.test(last)) all.push([]);
    all.at(-1)!.push(first!);
    for (const part of others) all.push([part]);
    last = piece;
    cut = endsChunk(piece);
  }
  return all.map(trimNewlines).filter((chunk) => chunk.length > 0);
}

const wholes = ['pre', 'script', 'style', 'svg'];

/** Makes one piece of each `<pre>…</pre>` and the like: their newlines mean nothing here. */
function joinWhole(pieces: string[]): string[] {
  const last = new Map(wholes.map((name) => [name, pieces.findLastIndex((piece) => tagOf(piece) === `/${name}`)]));
  const joined: string[] = [];
  let inside = '';
  pieces.forEach((piece, index) => {
    const tag = tagOf(piece);
    if (inside) joined[joined.length - 1] += piece;
    else joined.push(piece);
    if (tag === `/${inside}`) inside = '';
    else if (!inside && (last.get(tag) ?? -1) > index) inside = tag;
  });
  return joined;
}

/** Makes one piece of texts that follow each other, and drops empty ones. */
export function joinTexts(pieces: string[]): string[] {
  const joined: string[] = [];
  let afterText = false;
  for (const piece of pieces) {
    if (piece === '') continue;
    const text = !piece.startsWith('<');
    if (text && afterText) joined[joined.length - 1] += piece;
    else joined.push(piece);
    afterText = text;
  }
  return joined;
}

const tightAfter = /^<(?:object|audio|video|param|embed|source|track|option|\/param|\/embed|\/figcaption|\/option)(?:\s[^>]*)?\/?>$/i;
const tightBefore = /^<(?:\/object|\/audio|\/video|param|embed|source|track|option|\/param|\/embed|figcaption)(?:\s[^>]*)?\/?>$/i;

/** Drops white space around tags that hold no text. */
function tidySpaces(pieces: string[]): string[] {
  return pieces.map((piece, index) => {
    if (piece.startsWith('<')) return piece;
    const start = tightAfter.test(pieces[index - 1] ?? '') ? piece.trimStart() : piece;
    return tightBefore.test(pieces[index + 1] ?? '') ? start.trimEnd() : start;
  });
}

/** Makes two breaks in a row a blank line. */
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
  const tag = tagOf(piece);
  return tag === 'hr' || (tag.startsWith('/') && blockNames.has(tag.slice(1))) || (/<\/(?:pre|style)>$/i.test(piece) && startsChunk(piece));
}

function firstTag(piece: string): string {
  return /^<([a-z][a-z0-9:-]*)/i.exec(piece)?.[1]?.toLowerCase() ?? '';
}

function trimNewlines(chunk: string[]): string[] {
  const trimmed = [...chunk];
  if (trimmed[0] && !trimmed[0].startsWith('<')) trimmed[0] = trimmed[0].replace(/^\n+/, '');
  const last = trimmed.length - 1;
  if (last >= 0 && !trimmed[last]!.startsWith('<')) trimmed[last] = trimEndNewlines(trimmed[last]!);
  return trimmed.filter((piece) => piece !== '');
}

function trimEndNewlines(text: string): string {
  let end = text.length;
  while (end > 0 && text[end - 1] === '\n') end--;
  return text.slice(0, end);
}
