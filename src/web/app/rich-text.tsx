import { useLayoutEffect, useRef } from 'preact/hooks';
import { pageHtml } from '../../model/html/page-html.ts';
import { isSameOrigin, parse } from './markup.ts';

/** Parses and sanitizes the HTML of a record. Images on other hosts become links, so that nothing is loaded from there. */
function toNodes(html: string): Node[] {
  const body = parse(pageHtml(html));
  for (const image of body.querySelectorAll('img')) {
    if (isSameOrigin(image.getAttribute('src') ?? '')) continue;
    const link = document.createElement('a');
    link.href = image.getAttribute('src') ?? '';
    link.textContent = image.alt || 'Image';
    image.replaceWith(link);
  }
  for (const link of body.querySelectorAll('a'))
    if (!isSameOrigin(link.getAttribute('href') ?? '')) link.rel = 'noreferrer noopener nofollow';
  // The page title is the only first-level heading.
  for (const heading of body.querySelectorAll('h1')) {
    const lower = document.createElement('h2');
    lower.append(...heading.childNodes);
    heading.replaceWith(lower);
  }
  return [...body.childNodes].map((node) => document.importNode(node, true));
}

/** Renders sanitized HTML of a record. */
export function Html({ html }: { html: string }) {
  const container = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => container.current?.replaceChildren(...toNodes(html)), [html]);
  return <div class="prose" dir="auto" ref={container} />;
}
