import stringWidth from 'string-width';

let segmenter: Intl.Segmenter | undefined;

// Characters of European scripts, one column each, for which no segmentation is needed.
const simple = /^[\x20-\x7e\xa0-\xa8\xaa-\xac\xaf-\u02ff\u0370-\u0482\u048a-\u052f\u2010-\u2027\u2030-\u203b]*$/;

/** The columns that a text takes on a terminal: wide characters and emoji count two, combining ones none. */
export function widthOf(text: string): number {
  return simple.test(text) ? text.length : stringWidth(text);
}

/** A text cut to at most so many columns, ending in … if anything is missing. Never splits a grapheme. */
export function cut(text: string, columns: number): string {
  if (widthOf(text) <= columns) return text;
  if (columns < 1) return '';
  if (simple.test(text)) return `${text.slice(0, columns - 1).trimEnd()}…`;
  segmenter ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' });
  let kept = '';
  let width = 0;
  for (const { segment } of segmenter.segment(text)) {
    width += widthOf(segment);
    if (width > columns - 1) break;
    kept += segment;
  }
  return `${kept.trimEnd()}…`;
}

/** A text padded with blanks to so many columns. */
export function pad(text: string, columns: number, side: 'left' | 'right' = 'left'): string {
  const blanks = ' '.repeat(Math.max(0, columns - widthOf(text)));
  return side === 'left' ? text + blanks : blanks + text;
}

/** A text as lines of at most so many columns, broken between words, and within words that are longer. */
export function wrap(text: string, columns: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ').flatMap((each) => pieces(each, columns))) {
    if (line === '') line = word;
    else if (widthOf(line) + 1 + widthOf(word) <= columns) line += ` ${word}`;
    else {
      lines.push(line);
      line = word;
    }
  }
  return [...lines, line];
}

function pieces(word: string, columns: number): string[] {
  if (widthOf(word) <= columns) return [word];
  segmenter ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' });
  const found: string[] = [''];
  for (const { segment } of segmenter.segment(word)) {
    if (widthOf(found.at(-1)! + segment) > columns && found.at(-1) !== '') found.push('');
    found[found.length - 1] += segment;
  }
  return found;
}
