import { splitMarkup, tagName } from './tokens.ts';

// biome-ignore format: a table
const faces: Record<string, string> = {
  ':)': '🙂', ':-)': '🙂', ':smile:': '🙂', ':D': '😀', ':-D': '😀', ':grin:': '😀', ';)': '😉', ';-)': '😉', ':wink:': '😉',
  ':(': '🙁', ':-(': '🙁', ':sad:': '🙁', ':P': '😛', ':-P': '😛', ':razz:': '😛', ':|': '😐', ':-|': '😐', ':neutral:': '😐',
  ':o': '😮', ':-o': '😮', ':eek:': '😮', '8O': '😯', '8-O': '😯', ':shock:': '😯', ':?': '😕', ':-?': '😕', ':???:': '😕',
  ':x': '😡', ':-x': '😡', ':mad:': '😡', '8-)': '😎', ':cool:': '😎', ':cry:': '😥', ':lol:': '😆', ':oops:': '😳',
  ':evil:': '👿', ':twisted:': '😈', ':arrow:': '➡', ':idea:': '💡', ':!:': '❗', ':?:': '❓',
};

const verbatim = new Set(['pre', 'code', 'script', 'style', 'textarea']);

/** Replaces smilies made of punctuation, between spaces, by emoji; code stays as it is. */
export function replaceSmilies(html: string): string {
  if (!/[:;8]/.test(html)) return html;
  let inside = '';
  return splitMarkup(html)
    .map((piece) => {
      if (!piece.startsWith('<')) return inside ? piece : piece.replace(/[^\s\u00a0]+/g, (word) => faces[word] ?? word);
      const tag = tagName(piece);
      if (!inside && verbatim.has(tag)) inside = tag;
      else if (tag === `/${inside}`) inside = '';
      return piece;
    })
    .join('');
}
