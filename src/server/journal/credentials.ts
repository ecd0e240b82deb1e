/** What stands in the place of a secret. */
export const hidden = '[redacted]';

/** Headers that say who somebody is, or let him in. */
const secretHeaders = new Set(['authorization', 'proxy-authorization', 'cookie', 'set-cookie', 'x-wp-nonce', 'x-api-key']);
/** Parameters and members that do. */
const secretNames = '(?:post_)?password|passwd|secret|(?:access_|refresh_|api_|auth_)?token|api_?key|_wpnonce';

/** Whether the header, parameter or member of a name is one. */
export const isSecret = (name: string): boolean =>
  secretHeaders.has(name.toLowerCase()) || new RegExp(`^(${secretNames})$`, 'i').test(name);

const inPairs = new RegExp(`(^|[?&])((?:${secretNames})(?:\\[[^=&]{0,100})?)=[^&#]*`, 'gi');
/** A member of JSON, also one that was cut off. */
const inJson = new RegExp(`("(?:${secretNames})"\\s*:\\s*)("(?:[^"\\\\]|\\\\.)*(?:"|\\\\?$)|-?\\d[\\d.eE+-]*)`, 'gi');
/** The head of a part of a multipart body. */
const partHead = new RegExp(`name="(?:${secretNames})"`, 'i');

/** A header without the secret in it; of credentials, their scheme stays. */
export function headerWithoutSecrets(name: string, value: string): string {
  if (name === 'location' || name === 'referer') return withoutSecrets(value);
  if (!secretHeaders.has(name)) return value;
  const scheme = /^[\w-]+(?= )/.exec(value);
  return name.endsWith('authorization') && scheme ? `${scheme[0]} ${hidden}` : hidden;
}

/** A query, a form, JSON or multipart without the values of passwords and tokens. */
export const withoutSecrets = (text: string): string =>
  withoutSecretParts(text.replace(inPairs, `$1$2=${hidden}`).replace(inJson, `$1"${hidden}"`));

/** A multipart body without the first line of secret parts: what stands behind the empty line that ends their head. */
function withoutSecretParts(text: string): string {
  if (!partHead.test(text)) return text;
  const pieces = text.split(/(\r?\n\r?\n)/);
  return pieces
    .map((piece, i) => (i >= 2 && i % 2 === 0 && partHead.test(pieces[i - 2]!) ? piece.replace(/^[^\r\n]*/, hidden) : piece))
    .join('');
}
