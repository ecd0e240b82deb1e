/** Epoch milliseconds of an instant in ISO 8601; one without a zone is in UTC. Undefined for any other text. */
export function readInstant(text: string): number | undefined {
  const instant = Date.parse(/\d$/.test(text) && /[T ]\d/.test(text) ? `${text.replace(' ', 'T')}Z` : text);
  return Number.isNaN(instant) ? undefined : instant;
}
