import { tagName } from './tokens.ts';

/** Block elements, which are not part of paragraphs. */
export const blocks =
  'table thead tfoot caption col colgroup tbody tr td th div dl dd dt ul ol li pre form map area blockquote address style p h1 h2 h3 h4 h5 h6 hr fieldset legend section article aside hgroup header footer nav figure figcaption details menu summary'.split(
    ' ',
  );
const blockNames = new Set(blocks);

/** Matches a `<br>` tag. */
export const breakTag = /^<br\s*\/?>$/i;

/** Returns whether a piece exists and contains only white space. A no-break space counts as text. */
export function isBlank(piece: string | undefined): boolean {
  return piece !== undefined && /^[ \t\n\r\f\v]*$/.test(piece);
}

/** Splits HTML before opening and after closing block tags and at blank lines, but not beside tags like `<source>` that allow no paragraph there. */
export function splitBlocks(markup: string[]): string[][] {
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
export class Pieces {
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
