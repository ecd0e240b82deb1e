import { useLayoutEffect, useRef } from 'preact/hooks';
import { nodesOf } from './markup.ts';

/** A text of a record with its markup, cleaned. */
export function Html({ html }: { html: string }) {
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => box.current?.replaceChildren(...nodesOf(html)), [html]);
  return <div class="prose" dir="auto" ref={box} />;
}
