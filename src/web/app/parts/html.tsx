import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { pageHtml } from '../../../model/html/page-html.ts';
import type { Image } from '../record.ts';
import './prose.css';

const parser = new DOMParser();
/** Parses HTML without loading or running anything. */
const parse = (html: string) => parser.parseFromString(html, 'text/html').body;

/** Removes scripts and style sheets with their content. */
const withoutCode = (html: string) => html.replace(/<(script|style)\b[\s\S]*?(<\/\1\s*>|$)/gi, '');

/** Converts the HTML of a title or name to plain text. */
export const textOfHtml = (html: unknown): string => {
  const text = String(html ?? '');
  return /[&<]/.test(text) ? (parse(withoutCode(text).replace(/<[^<>]*>/g, '')).textContent ?? '') : text;
};

export function isSameOrigin(address: string): boolean {
  try {
    return new URL(address, location.href).origin === location.origin;
  } catch {
    return false;
  }
}

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

/** An image. Images on other hosts are loaded only when the user clicks the button. */
export function Picture({ image, alt }: { image: Image; alt: string }) {
  const [isShown, setShown] = useState(isSameOrigin(image.url));
  const [isBroken, setBroken] = useState(false);
  if (isBroken) return <p class="prose-picture quiet">Couldn’t load the image.</p>;
  if (isShown)
    return (
      <img class="prose-picture" src={image.url} alt={alt} width={image.width} height={image.height} onError={() => setBroken(true)} />
    );
  return (
    <button type="button" class="prose-picture prose-offer" onClick={() => setShown(true)}>
      Load image from {new URL(image.url).host}
    </button>
  );
}
