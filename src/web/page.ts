import { createHash } from 'node:crypto';
import { scriptJson, textToHtml } from '../model/html/sanitize.ts';
import type { PageContext, PageFile, WebPage } from '../model/web-page.ts';
import { assets } from './assets.ts';
import { toDefinitions, toFilters, toTables } from './definitions.ts';

const icon =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect x="3" y="5" width="26" height="24" rx="6" fill="#0b6e69"/><path d="M3 12h26" stroke="#fff" stroke-width="2"/><path d="M10 2v6M22 2v6" stroke="#0b6e69" stroke-width="3" stroke-linecap="round"/><rect x="17" y="17" width="7" height="7" rx="2" fill="#fff"/></svg>';

const types = { js: 'text/javascript; charset=utf-8', css: 'text/css; charset=utf-8', svg: 'image/svg+xml' };

const toFile = (name: string, bytes: Uint8Array): PageFile => ({
  name,
  type: types[name.split('.').pop() as keyof typeof types],
  bytes,
});

/** Returns what a view without content of its record says. */
function withoutScripts({ root }: PageContext): string {
  const url = textToHtml(`${root}/events`);
  return `<p>This page requires JavaScript. The same data is available at <a href="${url}">${url}</a>.</p>`;
}

/** Loads the page: its files and its document. */
export async function webPage(): Promise<WebPage> {
  const compiled = (await assets()).map(({ name, bytes }) => toFile(name, bytes));
  const entry = (extension: string) => compiled.find(({ name }) => name.startsWith('main-') && name.endsWith(extension))!;
  const [app, styles] = [entry('.js'), entry('.css')];
  const favicon = toFile(`icon-${createHash('sha256').update(icon).digest('hex').slice(0, 12)}.svg`, Buffer.from(icon));
  return {
    files: [...compiled, favicon],
    definitions: (resources) => ({
      definitions: toDefinitions(resources),
      filterDefinitions: toFilters(resources.events),
      tables: toTables(resources),
    }),
    document: (context, folder, { title, head = '', body = withoutScripts(context) }) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${textToHtml(title ? `${title} – ${context.title}` : context.title)}</title>
<link rel="icon" href="${folder}/${favicon.name}" type="image/svg+xml">
<link rel="stylesheet" href="${folder}/${styles.name}">
<link rel="alternate" type="text/calendar" href="${textToHtml(context.feed)}" title="${textToHtml(context.title)}">
${head}
<script type="application/json" id="context">${scriptJson(context)}</script>
<script type="module" src="${folder}/${app.name}"></script>
</head>
<body>
<div id="app"></div>
<noscript>
${body}
</noscript>
</body>
</html>
`,
  };
}
