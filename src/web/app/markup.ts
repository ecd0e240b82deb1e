import { allowedInTexts, sanitize } from '../../model/html/sanitize.ts';

const parser = new DOMParser();
const parse = (html: string) => parser.parseFromString(html, 'text/html').body;

/** A title or a name, which is HTML with little markup, as text. */
export const plain = (html: unknown): string => {
  const text = String(html ?? '');
  return /[&<]/.test(text) ? (parse(withoutCode(text).replace(/<[^>]*>/g, '')).textContent ?? '') : text;
};

/** Elements that load something, or look like a part of this page. */
const left = new Set(['audio', 'video', 'track', 'button', 'textarea', 'label', 'map', 'area', 'form', 'font']);
/** What a text may not bring along: looks, names and roles of this page. */
const ours = new Set([
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
    .filter(([element]) => !left.has(element))
    .map(([element, attributes]) => [element, attributes.filter((name) => !ours.has(name))]),
);

const withoutCode = (html: string) => html.replace(/<(script|style)\b[\s\S]*?(<\/\1\s*>|$)/gi, '');

/** The nodes that a text of a record shows: clean, links with no way back, pictures of other hosts as links, since nothing is loaded from there. */
export function nodesOf(html: string): Node[] {
  const body = parse(sanitize(withoutCode(html), allowed));
  for (const image of body.querySelectorAll('img')) {
    if (isOwn(image.getAttribute('src') ?? '')) continue;
    const link = document.createElement('a');
    link.href = image.getAttribute('src') ?? '';
    link.textContent = image.alt || 'Picture';
    image.replaceWith(link);
  }
  for (const link of body.querySelectorAll('a')) if (!isOwn(link.getAttribute('href') ?? '')) link.rel = 'noreferrer noopener nofollow';
  // The title of the page is its only heading of the first rank.
  for (const heading of body.querySelectorAll('h1')) {
    const lower = document.createElement('h2');
    lower.append(...heading.childNodes);
    heading.replaceWith(lower);
  }
  return [...body.childNodes].map((node) => document.importNode(node, true));
}

/** Whether an address is of this server. */
export function isOwn(address: string): boolean {
  try {
    return new URL(address, location.href).origin === location.origin;
  } catch {
    return false;
  }
}
