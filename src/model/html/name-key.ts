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

/** Returns the form in which names in plain text are compared: as it is typed or shown, a name has the same one. Ignores case. */
export const nameKey = (text: string): string =>
  forms.reduce((key, [shown, compared]) => key.replace(shown, compared), text.normalize('NFC').toLowerCase()).trim();
