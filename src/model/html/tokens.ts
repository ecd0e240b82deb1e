/** Splits HTML into tags, comments and the texts between them; joined they are the input again. An unclosed `<` runs to the end. */
export function splitMarkup(html: string): string[] {
  return html.match(/<!--[\s\S]*?(?:-->|$)|<[^>]*>?|[^<]+/g) ?? [];
}

/** The lower-case name of a tag, with a slash in front for a closing one; empty for anything else. */
export function tagName(piece: string): string {
  if (!piece.startsWith('<') || !piece.endsWith('>')) return '';
  return /^<(\/?[a-z][a-z0-9:-]*)/i.exec(piece)?.[1]?.toLowerCase() ?? '';
}

/** Removes tags and comments, as PHP's `strip_tags` does: a `<` before white space is text; an unclosed tag swallows the rest. */
export function stripTags(text: string): string {
  let result = '';
  let from = 0;
  for (let start = nextTag(text, 0); start >= 0; start = nextTag(text, from)) {
    result += text.slice(from, start);
    from = tagEnd(text, start);
  }
  return result + text.slice(from);
}

/** Removes tags, comments, and the contents of scripts and styles. */
export function stripMarkup(text: string): string {
  return stripTags(withoutScripts(text));
}

/** Removes the comments with which WordPress marks blocks: `<!-- wp:paragraph -->`. They are stored and not shown. */
export function withoutBlockMarks(html: string): string {
  if (!/<!--\s*\/?wp:/.test(html)) return html;
  return splitMarkup(html)
    .filter((piece) => !/^<!--\s*\/?wp:/.test(piece) || !piece.endsWith('-->'))
    .join('');
}

/** True if a text has comments that are not shown. */
export const isMarked = (text: unknown): boolean => typeof text === 'string' && withoutBlockMarks(text) !== text;

/** Removes scripts and style sheets with their content. */
export function withoutScripts(text: string): string {
  const result: string[] = [];
  let inside = '';
  for (const piece of splitMarkup(text)) {
    const tag = tagName(piece);
    if (!inside && (tag === 'script' || tag === 'style')) inside = tag;
    else if (inside && tag === `/${inside}`) inside = '';
    else if (!inside) result.push(piece);
  }
  return result.join('');
}

function nextTag(text: string, from: number): number {
  let at = text.indexOf('<', from);
  while (at >= 0 && /^\s$/.test(text.charAt(at + 1))) at = text.indexOf('<', at + 1);
  return at;
}

function tagEnd(text: string, start: number): number {
  if (text.startsWith('<!--', start)) {
    const end = text.indexOf('-->', start + 4);
    return end < 0 ? text.length : end + 3;
  }
  let quote = '';
  for (let at = start + 1; at < text.length; at++) {
    const character = text.charAt(at);
    if (quote) quote = character === quote ? '' : quote;
    else if (character === '"' || character === "'") quote = character;
    else if (character === '>') return at + 1;
  }
  return text.length;
}

/** Removes spaces from both ends, but no-break spaces. */
export function trimSpace(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && isSpace(text[start]!)) start++;
  while (end > start && isSpace(text[end - 1]!)) end--;
  return text.slice(start, end);
}

function isSpace(character: string): boolean {
  return ' \t\n\r\0\v'.includes(character);
}
