import { hash } from 'node:crypto';
import { Failure } from '../../model/error.ts';
import { percentDecoded } from '../../model/fields/coerce.ts';
import { slugOf } from '../../model/fields/slug.ts';
import { imageHeader } from '../../model/images/header.ts';
import { defaultMaxUpload, mediaPath, type Upload } from '../../model/images/image.ts';
import { uploadsPath } from '../../model/images/poster-image.ts';
import { utcOf } from '../../model/time/datetime.ts';
import { checkEpoch } from '../epoch.ts';
import type { Call, Request, Result } from '../http.ts';
import { mediaResult } from './media.ts';

const largerLimit = 'Start the server with a larger --max-upload.';

interface SentFile {
  name: string;
  bytes: Uint8Array;
}

/** Returns the file name in a Content-Disposition header (RFC 6266). */
function fileNameIn(disposition: string): string | undefined {
  const encoded = /;\s*filename\*\s*=\s*utf-8'[^']*'([^;\s]+)/i.exec(disposition)?.[1];
  if (encoded !== undefined) return percentDecoded(encoded);
  const [, quoted, plain] = /;\s*filename\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;\s"]+))/i.exec(disposition) ?? [];
  // Node decodes headers as Latin-1.
  const name = quoted?.replace(/\\(.)/g, '$1') ?? plain;
  return name === undefined ? undefined : Buffer.from(name, 'latin1').toString();
}

const noData = () =>
  new Failure(
    'rest_upload_no_data',
    'The request has no file',
    'Send the bytes with Content-Disposition: attachment; filename="poster.jpg", or a multipart form with the field file.',
  );

async function fileInForm(body: Uint8Array, type: string): Promise<SentFile> {
  const form = await new Response(body, { headers: { 'content-type': type } }).formData().catch(() => {
    throw new Failure('bad-request', 'Invalid multipart body');
  });
  const file = [form.get('file'), ...form.values()].find((value) => typeof value === 'object' && value !== null);
  if (!file || typeof file === 'string') throw noData();
  return { name: file.name, bytes: new Uint8Array(await file.arrayBuffer()) };
}

/** Returns the file that a request uploads: its body, or the file in a form. */
async function sentFile({ body, headers }: Request): Promise<SentFile> {
  const type = headers['content-type'] ?? '';
  if (!/^\s*(identity)?\s*$/i.test(headers['content-encoding'] ?? ''))
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

/** Returns the failure of content that is not an accepted image. */
function rejected(bytes: Uint8Array): Failure {
  const isSvg = /<svg[\s>]/i.test(Buffer.from(bytes.subarray(0, 4096)).toString('latin1'));
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
  const stored = `${words.replace(/-$/, '') || 'image'}-${hash('sha256', bytes, 'hex').slice(0, 16)}.${header.extension}`;
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
  const result = mediaResult(call, service.findImage(id)!);
  return { ...result, status: 201, headers: { Location: `${call.site.home}${options.basePath}${mediaPath}/${id}` } };
}
