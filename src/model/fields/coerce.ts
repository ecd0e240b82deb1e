/** Whether a value means yes: `true`, `yes`, `1`, `on`, `enable` in any case (`events.create.bool.*`). */
export const isTruthy = (value: unknown): boolean => ['true', 'yes', '1', 'on', 'enable'].includes(String(value).toLowerCase());

/** A value as a list: an array as it is, a text split at commas, nothing for an empty one. Order is kept, blanks are trimmed. */
export function listOf(value: unknown): unknown[] {
  if (Array.isArray(value)) return value.map((item) => (typeof item === 'string' ? item.trim() : item));
  if (value === null || value === undefined || value === '' || value === false) return [];
  if (typeof value === 'string')
    return value
      .split(',')
      .map((item) => item.trim())
      .filter((item) => item !== '');
  if (typeof value === 'object') {
    const keys = Object.keys(value);
    return keys.length > 0 && keys.every((key) => /^\d+$/.test(key)) ? Object.values(value) : keys.length ? [value] : [];
  }
  return [value];
}

/** A value that is a whole number of digits, as that number; otherwise undefined. `"2.0"` and `" 3"` are whole numbers on this wire. */
export function wholeNumber(value: unknown): number | undefined {
  const text = typeof value === 'number' ? String(value) : value;
  if (typeof text !== 'string' || !/^\s*[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?\s*$/i.test(text)) return undefined;
  const number = Number(text);
  return Number.isSafeInteger(number) ? number : undefined;
}

/** A value as messages repeat it: JSON, cut where it is long. */
export function quoted(value: unknown): string {
  const json = JSON.stringify(value) ?? 'nothing';
  return json.length > 100 ? `${json.slice(0, 100)}…` : json;
}

/** A date as text for `readDate` of time.ts: bare digits are a Unix timestamp here. */
export const dateText = (value: unknown): string =>
  /^\s*-?\d+\s*$/.test(String(value ?? '')) ? `@${String(value ?? '').trim()}` : String(value ?? '');

/** Whether a text is an image's address: http or https, its path ending as an image's does. Nothing is fetched. */
export const isImageUrl = (value: string): boolean =>
  /^https?:\/\/[\x21-\x7e]+$/i.test(value) &&
  URL.canParse(value) &&
  /\.(jpe?g|png|gif|webp|avif|svg|bmp|ico|heic)$/i.test(new URL(value).pathname);

/** A record that was read as the ID that stands for it; any other value as it is. */
export const idOrValue = (value: unknown): unknown =>
  typeof value === 'object' && value !== null && 'id' in value ? (wholeNumber(value.id) ?? value) : value;

/** The terms that a value names: the items of a list, or the values of an object; records by their `id`. */
export function termsOf(value: unknown): unknown[] {
  const keyed = typeof value === 'object' && value !== null && !Array.isArray(value) && !('id' in value);
  return (keyed ? Object.values(value) : listOf(value)).map(idOrValue);
}

/** A number of degrees within ±limit, from a number or a text. */
export function degreesOf(value: unknown, limit: number): number | undefined {
  if (typeof value !== 'number' && (typeof value !== 'string' || value.trim() === '')) return undefined;
  const number = Number(value);
  return Math.abs(number) <= limit ? number : undefined;
}

/** Returns whether a value is an object, not a list and not null. */
export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A text without its percent-encoding; unchanged where that is not valid. */
export function percentDecoded(text: string): string {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
