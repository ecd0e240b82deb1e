import type { Page, ResourceName } from '../model/resource.ts';
import type { Text, TextPage } from '../model/text.ts';
import { type Ready, tagOf } from './answer.ts';

/** A page as the wire wraps it; the keys stand in the reference's order. */
export function envelope(resource: string, { entries, total, total_pages, rest_url, ...neighbours }: Page): unknown {
  return resource === 'categories' || resource === 'tags'
    ? { rest_url, total, total_pages, [resource]: entries, ...neighbours }
    : { [resource]: entries, rest_url, ...neighbours, total, total_pages };
}

const comma = Buffer.from(',');

/** A page whose records are texts, ready to be sent: the wrapping is made as for any page, with the records put where they belong. */
export function readyPage(resource: ResourceName, { texts, ...page }: TextPage): Ready {
  const wrapped = JSON.stringify(envelope(resource, { ...page, entries: [] }));
  const opening = `"${resource}":[`;
  // Quotes inside of texts are escaped, so these cannot be part of one.
  const cut = wrapped.indexOf(`${opening}]`) + opening.length;
  const pieces: Uint8Array[] = [Buffer.from(wrapped.slice(0, cut))];
  let names = wrapped;
  for (const { bytes, tag } of texts) {
    if (pieces.length > 1) pieces.push(comma);
    pieces.push(bytes);
    names += tag;
  }
  pieces.push(Buffer.from(wrapped.slice(cut)));
  return { pieces, tag: tagOf(names) };
}

/** One record, ready to be sent. */
export const readyRecord = ({ bytes, tag }: Text): Ready => ({ pieces: [bytes], tag });
