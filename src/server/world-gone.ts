import Negotiator from 'negotiator';
import { escapeHtml } from '../model/html/clean.ts';
import { pagePrefixOf } from '../model/web-page.ts';
import { worldCookie } from '../model/worlds.ts';
import { type Request, type Response, textBody } from './http.ts';

/** Returns whether a request is for a document that a person reads. */
const isForDocument = ({ method, headers }: Request): boolean =>
  method === 'GET' && new Negotiator({ headers }).mediaType(['application/json', 'text/html']) === 'text/html';

/** Returns a document that says that a world is gone and forgets the cookie that selects it; undefined for requests of programs. */
export function worldGonePage(request: Request, message: string): Response | undefined {
  if (!isForDocument(request)) return undefined;
  const text = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>This world is gone</title>
<h1>This world is gone</h1>
<p>${escapeHtml(message)}. It was deleted, or the server was restarted.</p>
<p><a href="${pagePrefixOf(request.path)}/">Open the calendar of the server</a></p>
</html>
`;
  return {
    status: 404,
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': "default-src 'none'",
      'Cache-Control': 'no-store',
      'Set-Cookie': `${worldCookie}=; Path=/; Max-Age=0`,
    },
    body: textBody(text),
  };
}
