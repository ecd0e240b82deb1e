import { htmlToText } from '../../model/html/plain-text.ts';
import { escapeControls } from './safe-output.ts';

/** Converts HTML to one line of plain text with control characters escaped. */
export function plainText(html: string): string {
  const text = /[<&]/.test(html) ? htmlToText(html) : html;
  return escapeControls(text)
    .replace(/[\s\u2028\u2029]+/g, ' ')
    .trim();
}

/** Converts HTML to lines of plain text with control characters escaped. */
export const plainLines = (html: string): string[] => (html === '' ? [] : escapeControls(htmlToText(html)).split('\n'));
