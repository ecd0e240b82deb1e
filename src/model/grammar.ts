export const capitalized = (word: string): string => word[0]!.toUpperCase() + word.slice(1);

export const withArticle = (noun: string): string => `${/^[aeiou]/i.test(noun) ? 'an' : 'a'} ${noun}`;

/** Formats a number with its noun: '1 change', '2 changes'. */
export const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

/** Joins texts like 'a, b and c'. */
export const andList = (texts: readonly string[]): string =>
  texts.length > 1 ? `${texts.slice(0, -1).join(', ')} and ${texts.at(-1)}` : (texts[0] ?? '');

/** Matches names that a header can have. */
export const headerName = /^[\w!#$%&'*+.^`|~-]+$/;

/** Matches values that a header can have. */
export const headerValue = /^[\t\x20-\x7e\x80-\xff]*$/;
