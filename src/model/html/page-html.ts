import { allowedInTexts, sanitize } from './sanitize.ts';
import { withoutScripts } from './tokens.ts';

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

const allowedOnPages = Object.fromEntries(
  Object.entries(allowedInTexts)
    .filter(([element]) => !removedElements.has(element))
    .map(([element, attributes]) => [element, attributes.filter((name) => !removedAttributes.has(name))]),
);

/** Cleans the HTML of a record for the page. */
export const pageHtml = (html: string): string => sanitize(withoutScripts(html), allowedOnPages);

const { img, h1, ...allowedWithoutScripts } = allowedOnPages;

/** Cleans the HTML of a record for a document that a browser shows without scripts, which could change images of other hosts and headings. */
export const readableHtml = (html: string): string => sanitize(withoutScripts(html), allowedWithoutScripts);
