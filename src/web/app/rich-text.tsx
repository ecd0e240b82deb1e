import { useLayoutEffect, useRef } from 'preact/hooks';
import { allowedInTexts, sanitize } from '../../model/html/sanitize.ts';
import { isSameOrigin, parse, withoutCode } from './markup.ts';

/** Elements that load resources or could be mistaken for controls of the page. */
const removedElements = new Set(['audio', 'video', 'track', 'button', 'textarea', 'label', 'map', 'area', 'form', 'font']);
/** Attributes that could restyle the page or impersonate its elements. */
const removedAttributes = new Set([
  'class',
  'id',
  'style',
  'name',
  'role',
  'hidden',
  'bgcolor',
  'target',
  'srcset',
  'usemap',
  'data-*',
  'aria-*',
  'download',
]);

const allowed = Object.fromEntries(
  Object.entries(allowedInTexts)
    .filter(([element]) => !removedElements.has(element))
    .map(([element, attributes]) => [element, attributes.filter((name) => !removedAttributes.has(name))]),
);

/** Parses and sanitizes the HTML of a record. Images on other hosts become links, so that nothing is loaded from there. */
function toNodes(html: string): Node[] {
  const body = parse(sanitize(withoutCode(html), allowed));
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
