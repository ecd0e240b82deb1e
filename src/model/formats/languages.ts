/** Words of a language for values of cells. */
interface Words {
  yes: string;
  no: string;
}

/** The languages of tables besides English: of their headings, and of words for yes and no. Names of months, weekdays and relative days are those of `Intl`. */
export const languages: Readonly<Record<string, Words>> = {
  de: { yes: 'ja|wahr', no: 'nein|falsch' },
  fr: { yes: 'oui|vrai', no: 'non|faux' },
  es: { yes: 'sí|verdadero', no: 'no|falso' },
  it: { yes: 'sì|vero', no: 'no|falso' },
  nl: { yes: 'ja|waar', no: 'nee|onwaar' },
  pt: { yes: 'sim|verdadeiro', no: 'não|falso' },
};

/** A word in lowercase without accents and dots. */
export const plainWord = (word: string): string =>
  word
    .normalize('NFD')
    .replace(/[\p{M}.]/gu, '')
    .toLowerCase();

const wordsFor = (name: keyof Words, english: string): Set<string> =>
  new Set([english, ...Object.values(languages).map((each) => each[name])].flatMap((each) => each.split('|').map(plainWord)));
const words = { yes: wordsFor('yes', 'yes|true|1|x|on'), no: wordsFor('no', 'no|false|0|off|') };

/** True for a word that means yes in one of the languages, false for no, and for an empty text; undefined for others. */
export function yesOrNo(word: string): boolean | undefined {
  const plain = plainWord(word);
  return words.yes.has(plain) ? true : words.no.has(plain) ? false : undefined;
}

/** Words for yes and no, for messages: one of each in each language. */
export const yesAndNoText = `yes or no, ${Object.values(languages)
  .map(({ yes, no }) => `${yes.split('|')[0]} or ${no.split('|')[0]}`)
  .join(', ')}, true or false, 1 or 0, or x`;
