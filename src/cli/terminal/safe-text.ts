import { htmlToText } from '../../model/html/plain-text.ts';
import { escapeControls } from './escape-controls.ts';

/** HTML as one line of plain text: no tags, references decoded, white space collapsed, control characters escaped. */
export function plainText(html: string): string {
  const text = /[<&]/.test(html) ? htmlToText(html) : html;
  return escapeControls(text)
    .replace(/[\s\u2028\u2029]+/g, ' ')
    .trim();
}

/** HTML as lines of plain text with an empty line between paragraphs, control characters escaped. */
export const plainLines = (html: string): string[] => (html === '' ? [] : escapeControls(htmlToText(html)).split('\n'));
