/** Returns a phrase as a sentence. */
export const sentence = (phrase: string): string => `${phrase[0]!.toUpperCase()}${phrase.slice(1)}${/[.!?]$/.test(phrase) ? '' : '.'}`;

/** Returns a part of the document with its descriptions as sentences. Help and forms share the descriptions as phrases. */
export function inSentences(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(inSentences);
  if (typeof part !== 'object' || part === null) return part;
  const formatMember = ([name, value]: [string, unknown]) => {
    if (name === 'example') return [name, value];
    return [name, name === 'description' && typeof value === 'string' ? sentence(value) : inSentences(value)];
  };
  return Object.fromEntries(Object.entries(part).map(formatMember));
}
