import stringWidth from 'string-width';

let segmenter: Intl.Segmenter | undefined;

// Characters that take one column each and need no segmentation.
const simple = /^[\x20-\x7e\xa0-\xa8\xaa-\xac\xaf-\u02ff\u0370-\u0482\u048a-\u052f\u2010-\u2027\u2030-\u203b]*$/;

/** The columns of text on a terminal: wide characters and emoji count two, combining ones none. */
export function widthOf(text: string): number {
  return simple.test(text) ? text.length : stringWidth(text);
}

/** Cuts text to a number of columns, with an ellipsis. Never splits a grapheme. */
export function cut(text: string, columns: number): string {
  if (widthOf(text) <= columns) return text;
  if (columns < 1) return '';
  if (simple.test(text)) return `${text.slice(0, columns - 1).trimEnd()}…`;
  segmenter ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' });
  let start = '';
  let width = 0;
  for (const { segment } of segmenter.segment(text)) {
    width += widthOf(segment);
    if (width > columns - 1) break;
    start += segment;
  }
  return `${start.trimEnd()}…`;
}

/** Pads text with spaces. */
export function pad(text: string, columns: number, side: 'left' | 'right' = 'left'): string {
  const blanks = ' '.repeat(Math.max(0, columns - widthOf(text)));
  return side === 'left' ? text + blanks : blanks + text;
}

/** Wraps text at a number of columns, between words where possible. */
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
  const lines: string[] = [''];
  for (const { segment } of segmenter.segment(word)) {
    if (widthOf(lines.at(-1)! + segment) > columns && lines.at(-1) !== '') lines.push('');
    lines[lines.length - 1] += segment;
  }
  return lines;
}
