const harmless = new Set(['accept', 'content-type', 'user-agent']);

/** Returns whether headers may contain credentials: any header beyond those of every request. */
export const hasCredentials = (headers: Record<string, string>): boolean => Object.keys(headers).some((name) => !harmless.has(name));

/** Matches values that are too common to be secrets, and part of JSON without quotes. */
const plainValue = /^(.{0,3}|true|false|null|\d{1,7})$/;

/** Returns a function that replaces the values of headers in a text. */
export function redactorOf(headers: Record<string, string>): (text: string) => string {
  const values = Object.entries(headers).flatMap(([name, value]) => (harmless.has(name) ? [] : [value, ...credentialsIn(value)]));
  const secrets = [...new Set(values)].filter((value) => !plainValue.test(value)).sort((a, b) => b.length - a.length);
  return (text) => secrets.reduce((redacted, secret) => redacted.replaceAll(secret, '[redacted]'), text);
}

/** Returns the parts of an Authorization header: what follows the scheme, and the password of Basic. */
function credentialsIn(value: string): string[] {
  const [, scheme = '', credentials = ''] = /^(\w+) +(\S+)$/.exec(value) ?? [];
  if (scheme.toLowerCase() !== 'basic') return [credentials];
  const decoded = Buffer.from(credentials, 'base64').toString();
  return [credentials, decoded.slice(decoded.indexOf(':') + 1)];
}
