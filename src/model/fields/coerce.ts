/** True if a value means yes: `true`, `yes`, `1`, `on`, `enable` in any case (`events.create.bool.*`). */
export const isTruthy = (value: unknown): boolean => ['true', 'yes', '1', 'on', 'enable'].includes(String(value).toLowerCase());

/** Converts a value to a list: arrays stay, text is split at commas, empty values become an empty list. Items are trimmed. */
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

/** True for a decimal number with spaces, a sign and an exponent around it, like PHP's numeric strings. No two parts can take the same digits, so it takes linear time. */
export const isNumericText = (text: string): boolean => /^\s*[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?\s*$/i.test(text);

/** A whole number; undefined for other values. `"2.0"` and `" 3"` are whole numbers on this wire. */
export function toWholeNumber(value: unknown): number | undefined {
  if (typeof value === 'string' && !isNumericText(value)) return undefined;
  const number = typeof value === 'string' ? Number(value) : value;
  return Number.isSafeInteger(number) ? Number(number) : undefined;
}

/** Formats a value for messages: JSON, shortened if long. */
export function quoted(value: unknown): string {
  const json = JSON.stringify(value) ?? 'nothing';
  return json.length > 100 ? `${json.slice(0, 100)}…` : json;
}

/** A date as text for `readDate`; bare digits become a Unix timestamp. */
export const dateText = (value: unknown): string =>
  /^\s*-?\d+\s*$/.test(String(value ?? '')) ? `@${String(value ?? '').trim()}` : String(value ?? '');

/** True if a text is an http or https URL whose path ends like an image. Nothing is fetched. */
export const isImageUrl = (value: string): boolean =>
  /^https?:\/\/[\x21-\x7e]+$/i.test(value) &&
  URL.canParse(value) &&
  /\.(jpe?g|png|gif|webp|avif|svg|bmp|ico|heic)$/i.test(new URL(value).pathname);

/** The ID of an embedded record; other values unchanged. */
export const idOrValue = (value: unknown): unknown =>
  typeof value === 'object' && value !== null && 'id' in value ? (toWholeNumber(value.id) ?? value) : value;

/** The terms in a value: the items of a list or the values of an object, and IDs of embedded records. */
export function termsOf(value: unknown): unknown[] {
  const keyed = typeof value === 'object' && value !== null && !Array.isArray(value) && !('id' in value);
  return (keyed ? Object.values(value) : listOf(value)).map(idOrValue);
}

/** A number of degrees within ±limit, from a number or text. */
export function degreesOf(value: unknown, limit: number): number | undefined {
  if (typeof value !== 'number' && (typeof value !== 'string' || value.trim() === '')) return undefined;
  const number = Number(value);
  return Math.abs(number) <= limit ? number : undefined;
}

/** True if a value is an object, not a list and not null. */
export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** True if two JSON values are equal. Members that are undefined count, and those with ignored names do not. */
export function isDeepEqual(a: unknown, b: unknown, isIgnored?: (name: string) => boolean): boolean {
  if (a === b || Object.is(a, b)) return true;
  if (Array.isArray(a)) return Array.isArray(b) && a.length === b.length && a.every((each, at) => isDeepEqual(each, b[at], isIgnored));
  if (!isObject(a) || !isObject(b)) return false;
  let difference = 0;
  for (const name in a) {
    if (isIgnored?.(name)) continue;
    if (!Object.hasOwn(b, name) || !isDeepEqual(a[name], b[name], isIgnored)) return false;
    difference += 1;
  }
  for (const name in b) if (!isIgnored?.(name)) difference -= 1;
  return difference === 0;
}

/** Decodes percent-encoding; returns invalid text unchanged. */
export function percentDecoded(text: string): string {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
