import type { Page, ResourceName } from '../model/resource.ts';
import type { Text, TextPage } from '../model/text.ts';
import { tagOf } from './answer.ts';

/** A page as the wire wraps it; the keys stand in the reference's order. */
export function envelope(resource: string, { entries, total, total_pages, rest_url, ...neighbours }: Page): unknown {
  return resource === 'categories' || resource === 'tags'
    ? { rest_url, total, total_pages, [resource]: entries, ...neighbours }
    : { [resource]: entries, rest_url, ...neighbours, total, total_pages };
}

/** Pages by the tags of their contents: the same page again is not put together again. */
export class Pages {
  readonly #most: number;
  #bytes = 0;
  readonly #pages = new Map<string, Uint8Array>();

  constructor(most: number) {
    this.#most = most;
  }

  /** The page of a tag, made when it is not there; when there are too many, all are given up. */
  get(tag: string, make: () => Uint8Array): Uint8Array {
    let bytes = this.#pages.get(tag);
    if (bytes !== undefined) return bytes;
    bytes = make();
    this.#bytes += bytes.length;
    if (this.#bytes > this.#most) {
      this.#pages.clear();
      this.#bytes = bytes.length;
    }
    this.#pages.set(tag, bytes);
    return bytes;
  }
}

const comma = Buffer.from(',');

/** A page whose records are texts, as one text: the wrapping is made as for any page, with the records put where they belong. */
export function readyPage(resource: ResourceName, { texts, ...page }: TextPage, pages: Pages): Text {
  const wrapped = JSON.stringify(envelope(resource, { ...page, entries: [] }));
  const tag = tagOf(wrapped + texts.map((text) => text.tag).join());
  const bytes = pages.get(tag, () => {
    const opening = `"${resource}":[`;
    // Quotes inside of texts are escaped, so these cannot be part of one.
    const cut = wrapped.indexOf(`${opening}]`) + opening.length;
    const records = texts.flatMap(({ bytes }, i) => (i > 0 ? [comma, bytes] : [bytes]));
    return Buffer.concat([Buffer.from(wrapped.slice(0, cut)), ...records, Buffer.from(wrapped.slice(cut))]);
  });
  return { bytes, tag };
}
