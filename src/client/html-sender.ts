/** A program that answers in place of an API, and what helps. */
interface HtmlSender {
  name: string;
  pattern: RegExp;
  hint: string;
}

/** The hint for a rejected request. */
export const allow = "Ask its owner to allow requests of local-calendar, or pass an access token: --header 'NAME: ${VARIABLE}'";

const senders: readonly HtmlSender[] = [
  { name: 'Wordfence', pattern: /wordfence/i, hint: allow },
  { name: 'Sucuri', pattern: /sucuri/i, hint: allow },
  { name: 'Cloudflare', pattern: /cloudflare|cf-error|__cf_|cf-ray/i, hint: allow },
  { name: 'ModSecurity', pattern: /mod_security|modsecurity/i, hint: allow },
  {
    name: 'a login page',
    pattern: /wp-login\.php|type=["']?password/i,
    hint: "Sign in with --user NAME and CALENDAR_PASSWORD, or pass a cookie: --header 'Cookie: ${VARIABLE}'",
  },
  { name: 'a maintenance page', pattern: /scheduled maintenance|maintenance mode/i, hint: 'Try again later.' },
];

/** Returns the likely sender of an HTML page; undefined if the body is not HTML or the sender is unknown. */
export function htmlSender({ body, headers }: { body: string; headers: Record<string, string> }): HtmlSender | undefined {
  if (!/html/i.test(headers['content-type'] ?? '') && !/^\s*<(!doctype|html)/i.test(body)) return undefined;
  const text = `${headers.server ?? ''} ${headers['cf-ray'] ? 'cf-ray' : ''} ${body.slice(0, 65_536)}`;
  // Every response through Cloudflare has its headers, so the page itself comes first.
  return senders.find(({ pattern }) => pattern.test(body.slice(0, 65_536))) ?? senders.find(({ pattern }) => pattern.test(text));
}
