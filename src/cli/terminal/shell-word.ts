/** Quotes a text as one word of a shell command, if necessary. */
export const shellWord = (text: string): string => (/^[\w./:@%+-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);
