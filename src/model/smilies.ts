import { splitMarkup, tagOf } from './markup.ts';

const faces: Record<string, string> = {
  ...{ ':)': '🙂', ':-)': '🙂', ':smile:': '🙂', ':D': '😀', ':-D': '😀', ':grin:': '😀', ';)': '😉', ';-)': '😉', ':wink:': '😉' },
  ...{ ':(': '🙁', ':-(': '🙁', ':sad:': '🙁', ':P': '😛', ':-P': '😛', ':razz:': '😛', ':|': '😐', ':-|': '😐', ':neutral:': '😐' },
  ...{ ':o': '😮', ':-o': '😮', ':eek:': '😮', '8O': '😯', '8-O': '😯', ':shock:': '😯', ':?': '😕', ':-?': '😕', ':???:': '😕' },
  ...{ ':x': '😡', ':-x': '😡', ':mad:': '😡', '8-)': '😎', ':cool:': '😎', ':cry:': '😥', ':lol:': '😆', ':oops:': '😳' },
  ...{ ':evil:': '👿', ':twisted:': '😈', ':arrow:': '➡', ':idea:': '💡', ':!:': '❗', ':?:': '❓' },
};

const verbatim = new Set(['pre', 'code', 'script', 'style', 'textarea']);

/** Text and HTML with smilies made of punctuation drawn, where they stand between spaces; code is left. */
export function smile(html: string): string {
  if (!/[:;8]/.test(html)) return html;
  let inside = '';
  return splitMarkup(html)
    .map((piece) => {
      if (!piece.startsWith('<')) return inside ? piece : piece.replace(/[^\s\u00a0]+/g, (word) => faces[word] ?? word);
      const tag = tagOf(piece);
      if (!inside && verbatim.has(tag)) inside = tag;
      else if (tag === `/${inside}`) inside = '';
      return piece;
    })
    .join('');
}
