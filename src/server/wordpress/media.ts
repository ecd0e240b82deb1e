import { machine } from '../../machine.ts';
import { type Collection, type Resource, type ResourceName, refText } from '../../model/calendar.ts';
import { Failure } from '../../model/error.ts';
import { slugOf } from '../../model/fields/slug.ts';
import { latin1Text, utf8Bytes } from '../../model/formats/bytes.ts';
import { encodeEntities, htmlToLine } from '../../model/html/plain-text.ts';
import { hueCount, hueIndexes } from '../../model/hues.ts';
import { imageHeader, mimeOf } from '../../model/images/header.ts';
import { defaultMaxUpload, extensionOf, mediaPath, type StoredImage, shownImage, type Upload, urlOf } from '../../model/images/image.ts';
import { posterOf } from '../../model/images/poster.ts';
import { isPoster, posterSizes, uploadsPath } from '../../model/images/poster-image.ts';
import { everyRecord } from '../../model/paging.ts';
import { utcOf } from '../../model/time/datetime.ts';
import { fromUtc } from '../../model/time/time.ts';
import { formIn } from '../body.ts';
import { fileNameIn } from '../headers.ts';
import type { Call, Result, ServerRequest } from '../http.ts';
import { noteAnonymous } from '../mistakes/conduct.ts';
import { apiRoot } from '../namespace-index.ts';
import { checkEpoch, tagOf } from '../response.ts';

/** A date as WordPress' own routes write it. */
const isoDate = (date: string) => date.replace(' ', 'T');

/** An image as WordPress' route of media shows it. */
function mediaResult(call: Call, image: StoredImage): Result {
  const { service, site } = call;
  const { id, upload } = image;
  const url = urlOf(site.home, image);
  const file = url.slice(url.lastIndexOf('/') + 1);
  const { width, height, filesize, title = file, author = 0, date = '1970-01-01 00:00:00' } = upload ?? {};
  const local = isoDate(fromUtc(date, service.requestContext().zone));
  const mime_type = upload ? mimeOf(extensionOf(url)) : '';
  const rendered = encodeEntities(title);
  const { sizes = {} } = shownImage(site.home, image) as { sizes?: Record<string, { width?: number; height?: number }> };
  const shownSizes = Object.entries(sizes).map(([name, size]) => [
    name,
    { file, width: size.width, height: size.height, filesize, mime_type, source_url: url },
  ]);
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
    _links: { self: [{ href: `${apiRoot(call).slice(0, -1)}${mediaPath}/${id}` }] },
  };
  return { status: 200, headers: {}, value };
}

export function mediaById(call: Call): Result {
  const { id } = call.ref as { id: number };
  const image = call.service.findImage(id);
  if (!image) throw new Failure('rest_post_invalid_id', `${refText(call.ref!)} is not the ID of an image`);
  return mediaResult(call, image);
}

const largerLimit = 'Start the server with a larger --max-upload.';

interface SentFile {
  name: string;
  bytes: Uint8Array;
}

const noData = () =>
  new Failure(
    'rest_upload_no_data',
    'The request has no file',
    'Send the bytes with Content-Disposition: attachment; filename="poster.jpg", or a multipart form with the field file.',
  );

async function fileInForm(body: Uint8Array, type: string): Promise<SentFile> {
  const form = await formIn(body, type);
  const file = [form.get('file'), ...form.values()].find((value) => typeof value === 'object' && value !== null);
  if (!file || typeof file === 'string') throw noData();
  return { name: file.name, bytes: new Uint8Array(await file.arrayBuffer()) };
}

/** The file that a request uploads: its body, or the file in a form. */
async function sentFile({ body, headers }: ServerRequest): Promise<SentFile> {
  const type = headers['content-type'] ?? '';
  if (!/^(?:identity)?$/i.test(headers['content-encoding']?.trim() ?? ''))
    throw new Failure('unsupported-encoding', 'Images must be sent without Content-Encoding');
  if (!body.length) throw noData();
  if (/^multipart\/form-data\b/i.test(type)) return fileInForm(body, type);
  const disposition = headers['content-disposition'];
  const hint = 'Send the header Content-Disposition: attachment; filename="poster.jpg".';
  if (disposition === undefined) throw new Failure('rest_upload_no_content_disposition', 'The header Content-Disposition is missing', hint);
  const name = fileNameIn(disposition);
  if (!name) throw new Failure('rest_upload_invalid_disposition', 'The header Content-Disposition contains no file name', hint);
  return { name, bytes: body };
}

/** The failure of content that is not an accepted image. */
function rejected(bytes: Uint8Array): Failure {
  const isSvg = /<svg[\s>]/i.test(latin1Text(bytes.subarray(0, 4096)));
  const why = isSvg
    ? 'SVG files are not accepted, because they can contain scripts'
    : 'The content is not an image of an accepted format, or it is damaged';
  return new Failure('rest_upload_sideload_error', why, 'Upload a JPEG, PNG, GIF, WebP or AVIF file.');
}

/** Stores an image and returns it. The file is complete before a record of the calendar refers to it. */
export async function uploadImage(call: Call): Promise<Result> {
  const { request, options, service, viewer } = call;
  const { files, maxUpload = defaultMaxUpload } = options;
  service.checkUpload(viewer);
  const { name, bytes } = await sentFile(request);
  if (bytes.length > maxUpload) throw new Failure('body-too-large', `The image is larger than ${maxUpload} bytes`, largerLimit);
  const header = imageHeader(bytes);
  if (!header) throw rejected(bytes);
  const title = name
    .slice(-1000)
    .split(/[/\\]/)
    .pop()!
    .replace(/\.[^.]*$/, '')
    .slice(0, 200);
  const words = slugOf(title)
    .replace(/%..|[^a-z\d]/g, '-')
    .replace(/-+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 60);
  const stored = `${words.replace(/-$/, '') || 'image'}-${machine.hash('sha256', bytes, 'hex').slice(0, 16)}.${header.extension}`;
  await files!.save(stored, bytes);
  checkEpoch(request);
  const { width, height } = header;
  const upload: Upload = {
    width,
    height,
    filesize: bytes.length,
    title: title || 'image',
    author: viewer.id,
    date: utcOf(service.requestContext().now),
  };
  const id = await service.addUpload(`${uploadsPath}/${stored}`, upload);
  noteAnonymous(call);
  const result = mediaResult(call, service.findImage(id)!);
  return { ...result, status: 201, headers: { Location: `${apiRoot(call).slice(0, -1)}${mediaPath}/${id}` } };
}

/** Headers of every image. Opened as a document, it runs no script and has an opaque origin. */
const safeHeaders = { 'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox" };

const notFound = ({ request }: Call) => new Failure('rest_no_route', `No image at ${request.path}`);
const slugIn = ({ ref }: Call) => (ref as { slug: string }).slug;

/** The content of an uploaded image, if the calendar has a record of it. */
export async function uploadedFile(call: Call): Promise<Result> {
  const name = slugIn(call);
  const image = call.service.findImage(`${uploadsPath}/${name}`);
  const bytes = image && (await call.options.files!.load(name));
  if (!bytes) throw notFound(call);
  const type = { 'Content-Type': mimeOf(extensionOf(name)), 'Cache-Control': 'public, max-age=31536000, immutable' };
  return { status: 200, headers: { ...safeHeaders, ...type }, body: { pieces: [bytes], tag: tagOf(name) } };
}

/** The color of a record: that of its categories, or one by its ID. */
async function hueOf({ service, viewer, site }: Call, { id, categories: assigned }: Record<string, unknown>): Promise<number> {
  if (!Array.isArray(assigned) || !assigned.length) return Number(id) % hueCount;
  const { categories } = service.calendar(viewer, site);
  const tree: { id: number; parent: number }[] = [];
  for await (const { id, parent } of everyRecord(categories, { hide_empty: 'false' }, { members: new Set(['id', 'parent']) }))
    tree.push({ id, parent: Number(parent ?? 0) });
  return hueIndexes(tree)(assigned as { id: number }[]) ?? Number(id) % hueCount;
}

/** Draws the poster of a record that the caller may read, if the server or the record has posters. */
export async function poster(call: Call): Promise<Result> {
  const [, name = '', id, size = ''] = /^([a-z]+)-(\d+)-([a-z_]+)\.svg$/.exec(slugIn(call)) ?? [];
  const resource = (call.service.resources() as Record<string, Resource>)[name];
  const box = Object.hasOwn(posterSizes, size) ? posterSizes[size] : undefined;
  if (resource?.family !== 'post' || !box) throw notFound(call);
  const collection: Collection = call.service.calendar(call.viewer, call.site)[name as ResourceName];
  const record: Record<string, unknown> = await collection.get({ id: Number(id) }).catch((error) => {
    throw error instanceof Failure && error.status < 500 ? notFound(call) : error;
  });
  if (!call.options.posters && !isPoster(record.image)) throw notFound(call);
  const bytes = utf8Bytes(posterOf(htmlToLine(String(record[resource.label])), await hueOf(call, record), box));
  const headers = { ...safeHeaders, 'Content-Type': 'image/svg+xml; charset=utf-8', 'Cache-Control': 'no-cache' };
  return { status: 200, headers, body: { pieces: [bytes], tag: tagOf(bytes) } };
}
