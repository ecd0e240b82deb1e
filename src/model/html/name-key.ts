import { foldAccents } from '../fields/slug.ts';

/** Characters that a page shows instead of typed ones, in the form in which names are compared. Applied in this order. */
const forms: [shown: RegExp, compared: string][] = [
  [/[`\u00b4\u02bc\u2018-\u201b\u2032]/g, "'"],
  [/''|[\u201c-\u201f\u2033]/g, '"'],
  [/[\u2010-\u2015\u2212]/g, '-'],
  [/-{2,}/g, '-'],
  [/\u2026/g, '...'],
  [/\u00d7/g, 'x'],
  [/ ?(?:\u2122|\(tm\))/g, ' (tm)'],
  [/[\s\u00a0]+/g, ' '],
];

/** The form in which names in plain text are compared: as it is typed or shown, a name has the same one. Ignores case and accents. */
export const nameKey = (text: string): string =>
  foldAccents(forms.reduce((key, [shown, compared]) => key.replace(shown, compared), text.normalize('NFC').toLowerCase()).trim());

/** Letters that all names with this key contain, without case and accents; empty if there are none. */
export const lettersOfKey = (key: string): string => {
  const runs = key.match(/\p{L}+|\d+/gu) ?? [];
  return runs.filter((run) => run !== 'x' && run !== 'tm').sort((a, b) => b.length - a.length)[0] ?? '';
};
