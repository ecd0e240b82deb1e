import { scriptJson, textToHtml } from '../model/html/sanitize.ts';
import type { PageContext, PageFile, WebPage } from '../model/web-page.ts';
import { toDefinitions, toFilters, toTables } from './definitions.ts';

/** Returns what a view without content of its record says. */
function withoutScripts({ root }: PageContext): string {
  const url = textToHtml(`${root}/events`);
  return `<p>This page requires JavaScript. The same data is available at <a href="${url}">${url}</a>.</p>`;
}

/** The page that consists of these files: a script, a style sheet and an icon, which its document names. */
export function pageOf(files: readonly PageFile[]): WebPage {
  const nameOf = (extension: string) => files.find(({ name }) => name.endsWith(extension))!.name;
  const [app, styles, favicon] = [nameOf('.js'), nameOf('.css'), nameOf('.svg')];
  return {
    files,
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
<link rel="icon" href="${folder}/${favicon}" type="image/svg+xml">
<link rel="stylesheet" href="${folder}/${styles}">
<link rel="alternate" type="text/calendar" href="${textToHtml(context.feed)}" title="${textToHtml(context.title)}">
${head}
<script type="application/json" id="context">${scriptJson(context)}</script>
<script type="module" src="${folder}/${app}"></script>
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
