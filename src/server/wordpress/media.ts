import { Failure } from '../../model/error.ts';
import { encodeEntities } from '../../model/html/plain-text.ts';
import { mimeOf } from '../../model/images/header.ts';
import { extensionOf, mediaPath, type StoredImage, shownImage, urlOf } from '../../model/images/image.ts';
import { fromUtc } from '../../model/time/time.ts';
import type { Call, Result } from '../http.ts';

/** Returns a date as WordPress' own routes write it. */
const isoDate = (date: string) => date.replace(' ', 'T');

/** Returns an image as WordPress' route of media shows it. */
export function mediaResult({ service, site, options }: Call, image: StoredImage): Result {
  const { id, upload } = image;
  const url = urlOf(site.home, image);
  const file = url.slice(url.lastIndexOf('/') + 1);
  const { width, height, filesize, title = file, author = 0, date = '1970-01-01 00:00:00' } = upload ?? {};
  const local = isoDate(fromUtc(date, service.requestContext().zone));
  const mime_type = upload ? mimeOf(extensionOf(url)) : '';
  const rendered = encodeEntities(title);
  const { sizes = {} } = shownImage(site.home, image) as { sizes?: Record<string, object> };
  const shownSizes = Object.keys(sizes).map((name) => [name, { file, width, height, filesize, mime_type, source_url: url }]);
  const value = {
    id,
    date: local,
    date_gmt: isoDate(date),
    guid: { rendered: url },
    modified: local,
    modified_gmt: isoDate(date),
    slug: file.replace(/\.[^.]*$/, ''),
    status: 'inherit',
    type: 'attachment',
    link: url,
    title: { raw: title, rendered },
    author,
    caption: { rendered: '' },
    description: { rendered: '' },
    alt_text: '',
    media_type: 'image',
    mime_type,
    media_details: { width, height, file, filesize, sizes: Object.fromEntries(shownSizes) },
    post: null,
    source_url: url,
    _links: { self: [{ href: `${site.home}${options.basePath}${mediaPath}/${id}` }] },
  };
  return { status: 200, headers: {}, value };
}

/** Returns the image with the ID in the path. */
export function mediaById(call: Call): Result {
  const { id } = call.ref as { id: number };
  const image = call.service.findImage(id);
  if (!image) throw new Failure('rest_post_invalid_id', `${id} is not the ID of an image`);
  return mediaResult(call, image);
}
