import type { Collection, Resource, ResourceName } from '../../model/calendar.ts';
import { Failure } from '../../model/error.ts';
import { htmlToLine } from '../../model/html/plain-text.ts';
import { hueCount, hueIndexes } from '../../model/hues.ts';
import { mimeOf } from '../../model/images/header.ts';
import { extensionOf } from '../../model/images/image.ts';
import { posterOf } from '../../model/images/poster.ts';
import { posterSizes, uploadsPath } from '../../model/images/poster-image.ts';
import { everyRecord } from '../../model/paging.ts';
import type { Call, Result } from '../http.ts';
import { tagOf } from '../response.ts';

/** Headers of every image. Opened as a document, it runs no script and has an opaque origin. */
const safeHeaders = { 'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox" };

const notFound = ({ request }: Call) => new Failure('rest_no_route', `No image at ${request.path}`);
const slugIn = ({ ref }: Call) => (ref as { slug: string }).slug;

/** Returns the content of an uploaded image, if the calendar has a record of it. */
export async function uploadedFile(call: Call): Promise<Result> {
  const name = slugIn(call);
  const image = call.service.findImage(`${uploadsPath}/${name}`);
  const bytes = image && (await call.options.files!.load(name));
  if (!bytes) throw notFound(call);
  const type = { 'Content-Type': mimeOf(extensionOf(name)), 'Cache-Control': 'public, max-age=31536000, immutable' };
  return { status: 200, headers: { ...safeHeaders, ...type }, body: { pieces: [bytes], tag: tagOf(name) } };
}

/** Returns the color of a record: that of its categories, or one by its ID. */
async function hueOf({ service, viewer, site }: Call, { id, categories: assigned }: Record<string, unknown>): Promise<number> {
  if (!Array.isArray(assigned) || !assigned.length) return Number(id) % hueCount;
  const { categories } = service.calendar(viewer, site);
  const tree: { id: number; parent: number }[] = [];
  for await (const { id, parent } of everyRecord(categories, { hide_empty: 'false' }, { members: new Set(['id', 'parent']) }))
    tree.push({ id, parent: Number(parent ?? 0) });
  return hueIndexes(tree)(assigned as { id: number }[]) ?? Number(id) % hueCount;
}

/** Draws the poster of a record that the caller may read. */
export async function poster(call: Call): Promise<Result> {
  const [, name = '', id, size = ''] = /^([a-z]+)-(\d+)-([a-z_]+)\.svg$/.exec(slugIn(call)) ?? [];
  const resource = (call.service.resources() as Record<string, Resource>)[name];
  const box = Object.hasOwn(posterSizes, size) ? posterSizes[size] : undefined;
  if (resource?.family !== 'post' || !box) throw notFound(call);
  const collection: Collection = call.service.calendar(call.viewer, call.site)[name as ResourceName];
  const record: Record<string, unknown> = await collection.get({ id: Number(id) }).catch((error) => {
    throw error instanceof Failure && error.status < 500 ? notFound(call) : error;
  });
  const bytes = Buffer.from(posterOf(htmlToLine(String(record[resource.label])), await hueOf(call, record), box));
  const headers = { ...safeHeaders, 'Content-Type': 'image/svg+xml; charset=utf-8', 'Cache-Control': 'no-cache' };
  return { status: 200, headers, body: { pieces: [bytes], tag: tagOf(bytes) } };
}
