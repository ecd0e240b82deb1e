const parser = new DOMParser();
/** Parses HTML without loading or running anything. */
export const parse = (html: string) => parser.parseFromString(html, 'text/html').body;

/** Removes scripts and style sheets with their content. */
const withoutCode = (html: string) => html.replace(/<(script|style)\b[\s\S]*?(<\/\1\s*>|$)/gi, '');

/** Converts the HTML of a title or name to plain text. */
export const plain = (html: unknown): string => {
  const text = String(html ?? '');
  return /[&<]/.test(text) ? (parse(withoutCode(text).replace(/<[^>]*>/g, '')).textContent ?? '') : text;
};

/** Returns whether the address is on this server. */
export function isSameOrigin(address: string): boolean {
  try {
    return new URL(address, location.href).origin === location.origin;
  } catch {
    return false;
  }
}
