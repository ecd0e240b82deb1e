import { isFrontPath } from '../../model/addresses.ts';
import { defaultMaxUpload, mediaPath } from '../../model/images/image.ts';
import { postersPath, uploadsPath } from '../../model/images/poster-image.ts';
import { parseQuery } from '../body.ts';
import type { HandlerOptions, ServerRequest, ServerRoute } from '../http.ts';
import { mediaById, poster, uploadedFile, uploadImage } from './media.ts';

/** Size of the parts of a form besides the file, in bytes. */
const maxFormBytes = 64 << 10;

/** The maximum body size of a request that uploads an image; undefined for other requests. */
export function maxUploadOf({ path, query }: ServerRequest, { basePath, files, maxUpload = defaultMaxUpload }: HandlerOptions) {
  if (!files) return undefined;
  const route = isFrontPath(path, basePath) ? `${basePath}${parseQuery(query).rest_route ?? ''}` : path;
  return route.replace(/\/$/, '') === basePath + mediaPath ? maxUpload + maxFormBytes : undefined;
}

const get = { methods: ['GET'] } as const;

/** Uploads, and the files that were uploaded. */
const uploads: readonly ServerRoute[] = [
  {
    path: mediaPath,
    below: 'base path',
    methods: ['POST'],
    summary: 'uploads of images',
    respond: uploadImage,
  },
  {
    ...get,
    path: `${mediaPath}/{id}`,
    below: 'base path',
    summary: 'one of the images',
    respond: mediaById,
  },
  {
    ...get,
    path: `${uploadsPath}/{slug}`,
    below: 'site',
    summary: 'uploaded files',
    respond: uploadedFile,
  },
];

/** Pictures that are drawn. */
const posterRoute: ServerRoute = {
  ...get,
  path: `${postersPath}/{slug}`,
  below: 'site',
  summary: 'posters of records',
  respond: poster,
};

export const imageRoutes = ({ files }: HandlerOptions): ServerRoute[] => [...(files ? uploads : []), posterRoute];
