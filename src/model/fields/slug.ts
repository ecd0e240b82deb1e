import { utf8Bytes } from '../formats/bytes.ts';
import { stripTags } from '../html/tokens.ts';

const maxSlugBytes = 200;

/** Accented Latin letters whose accents are removed; other scripts and rarer letters keep theirs. */
const accented = /[\u00c0-\u017f\u01a0\u01a1\u01af\u01b0\u01cd-\u01dc\u0218-\u021b\u1ea0-\u1ef9]/g;

/** Letters and signs that do not decompose into a base letter and an accent. */
// biome-ignore format: a table
const plainLetters: Record<string, string> = {
  ª: 'a', º: 'o', ß: 's', ẞ: 's', Æ: 'AE', æ: 'ae', Œ: 'OE', œ: 'oe', Ø: 'O', ø: 'o', Ð: 'D', ð: 'd', Đ: 'D', đ: 'd',
  Þ: 'TH', þ: 'th', Ħ: 'H', ħ: 'h', ı: 'i', Ĳ: 'IJ', ĳ: 'ij', ĸ: 'k', Ł: 'L', ł: 'l', Ŀ: 'L', ŀ: 'l',
  Ŋ: 'N', ŋ: 'n', ŉ: 'n', Ŧ: 'T', ŧ: 't', ſ: 's', ɑ: 'a', '€': 'E', '£': '',
};
const plainLetter = new RegExp(`[${Object.keys(plainLetters).join('')}]`, 'g');

/** Spaces and dashes other than ASCII ones; each separates words. */
const separator = /[\u00a0\u2000-\u200a\u2011-\u2014\u2028\u2029\u202f\u205f\u3000]/;

/** Punctuation and invisible characters that are dropped. */
const unseen =
  /[\u00a1\u00ab\u00a9\u00ae\u00b0\u00b4\u00bb\u00bf\u00ad\u02ca\u180e\u200b-\u200f\u2018-\u201f\u2022\u2026\u202a-\u202e\u2039\u203a\u2060-\u2064\u206a-\u206f\u2122\ufeff\ufff9-\ufffc]|\u0300|\u0301|\u0304|\u030c/;

/** A text that is its own slug. */
const plainSlug = /^\w+(?:-\w+)*$/;

/** A text whose characters stay or are dropped one by one. */
const plainText = /^[\w ,:;'"!?()#*+@-]*$/;

/** The slug of a text: lower case, words joined by single dashes, without accents, other scripts percent-encoded, at most 200 bytes. Can be empty. */
export function slugOf(text: string): string {
  if (text.length <= maxSlugBytes && plainSlug.test(text)) return text.toLowerCase();
  const isPlain = text.length <= maxSlugBytes && plainText.test(text);
  const encoded = isPlain ? text.toLowerCase() : encodeUpTo(foldAccents(stripTags(text)).toLowerCase(), maxSlugBytes);
  return encoded
    .replace(/&(?:nbsp|ndash|mdash|#160|#8211|#8212);/g, '-')
    .replace(/&[^;\n]+(;?)/g, (reference, end) => (end ? '' : reference))
    .replace(/[./]/g, '-')
    .replace(/[^%a-z0-9 _-]/g, '')
    .replace(/[ -]+/g, '-')
    .replace(/^-|-$/g, '');
}

/** A slug with a number appended, at most 200 bytes. */
export function numberedSlug(slug: string, number: number): string {
  const suffix = `-${number}`;
  return cutEncoded(slug, maxSlugBytes - suffix.length) + suffix;
}

const beyondAscii = /[^\0-\x7f]/;

/** Replaces accented Latin letters with plain ones, for slugs and searches. */
export function foldAccents(text: string): string {
  if (!beyondAscii.test(text)) return text;
  return text
    .normalize('NFC')
    .replace(plainLetter, (letter) => plainLetters[letter] ?? '')
    .replace(accented, (letter) => letter.normalize('NFD').replace(/\p{M}/gu, ''));
}

/** Percent-encodes text, up to a limit. Existing escapes stay; other `%` are dropped. */
function encodeUpTo(text: string, limit: number): string {
  let length = 0;
  let encoded = '';
  for (const character of text.replace(/%(?![0-9a-f]{2})/g, '')) {
    const isAscii = character < '\u0080';
    const piece = isAscii ? character : percentEncode(character);
    // A character that is dropped or shortened below counts with its full encoding (`events.create.slug.sanitize`).
    length += piece.length;
    if (length > limit) break;
    encoded += isAscii ? character : (simplified(character) ?? piece);
  }
  return cutEncoded(encoded, limit);
}

function simplified(character: string): string | undefined {
  if (character === '×') return 'x';
  if (separator.test(character)) return '-';
  return unseen.test(character) ? '' : undefined;
}

function percentEncode(character: string): string {
  return [...utf8Bytes(character)].map((byte) => `%${byte.toString(16)}`).join('');
}

/** Cuts an encoded text without splitting an encoded character. */
function cutEncoded(text: string, limit: number): string {
  if (text.length <= limit) return text;
  let end = 0;
  for (const [unit] of text.matchAll(/%[0-9a-f]{2}(?:%[89ab][0-9a-f])*|./gs)) {
    if (end + unit.length > limit) break;
    end += unit.length;
  }
  return text.slice(0, end);
}
