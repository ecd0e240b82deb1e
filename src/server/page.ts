import type { Page, ResourceName } from '../model/resource.ts';
import type { Text, TextPage } from '../model/text.ts';
import { tagOf } from './answer.ts';

/** A page as the wire wraps it; the keys stand in the reference's order. */
export function envelope(resource: string, { entries, total, total_pages, rest_url, ...neighbours }: Page): unknown {
  return resource === 'categories' || resource === 'tags'
    ? { rest_url, total, total_pages, [resource]: entries, ...neighbours }
    : { [resource]: entries, rest_url, ...neighbours, total, total_pages };
}

const comma = Buffer.from(',');

/** A page whose records are texts, as one text: the wrapping is made as for any page, with the records put where they belong. */
export function readyPage(resource: ResourceName, { texts, ...page }: TextPage): Text {
  const wrapped = JSON.stringify(envelope(resource, { ...page, entries: [] }));
  const opening = `"${resource}":[`;
  // Quotes inside of texts are escaped, so these cannot be part of one.
  const cut = wrapped.indexOf(`${opening}]`) + opening.length;
  const parts: Uint8Array[] = [Buffer.from(wrapped.slice(0, cut))];
  let names = wrapped;
  for (const [i, { bytes, tag }] of texts.entries()) {
    if (i > 0) parts.push(comma);
    parts.push(bytes);
    names += tag;
  }
  parts.push(Buffer.from(wrapped.slice(cut)));
  return { bytes: Buffer.concat(parts), tag: tagOf(names) };
}
