import { useLayoutEffect, useRef } from 'preact/hooks';
import { toNodes } from './rich-text.ts';

/** Renders sanitized HTML of a record. */
export function Html({ html }: { html: string }) {
  const container = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => container.current?.replaceChildren(...toNodes(html)), [html]);
  return <div class="prose" dir="auto" ref={container} />;
}
