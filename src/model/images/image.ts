import { wordpressPath } from '../absolute-path.ts';
import type { Entry } from '../record.ts';
import { imageExtensions, mimeOf } from './header.ts';

/** Path of uploaded images, as on a WordPress site. */
export const uploadsPath = '/wp-content/uploads';

/** Path of the posters that a server draws. */
export const postersPath = `${uploadsPath}/posters`;

/** Path of uploads below the base path. */
export const mediaPath = `${wordpressPath}/media`;

/** Names of uploaded files: words, the start of a hash of the content, and the extension of their format. */
export const uploadName = new RegExp(`^[a-z\\d-]+-[\\da-f]{16}\\.(${imageExtensions.join('|')})$`);

/** Default of the maximum size of an upload in bytes. */
export const defaultMaxUpload = 20 << 20;

/** The facts about an uploaded image. */
export interface Upload {
  width: number;
  height: number;
  /** In bytes. */
  filesize: number;
  /** Name of the file that was sent, without its extension. */
  title: string;
  /** ID of a user. */
  author: number;
  /** In UTC, in the format of responses. */
  date: string;
}

/** A stored image: the address of one elsewhere, or the path of an uploaded one. */
export interface StoredImage {
  id: number;
  url: string;
  /** Absent for an image elsewhere. */
  upload?: Upload;
  /** Members that the site of an image elsewhere shows of it. */
  shown?: Record<string, unknown>;
}

/** Returns the extension at the end of a URL. */
export const extensionOf = (url: string): string => new URL(url, 'http://localhost').pathname.split('.').pop()!.toLowerCase();

/** Returns the URL of an image on a site. */
export const urlOf = (home: string, { url }: Pick<StoredImage, 'url'>): string => (url.startsWith('/') ? home + url : url);

/** Returns the path under which an address would be stored if it is one of an uploaded image, on any host. */
export function uploadPathIn(url: string): string | undefined {
  const name = url.slice(url.lastIndexOf('/') + 1);
  return uploadName.test(name) && url.endsWith(`${uploadsPath}/${name}`) ? `${uploadsPath}/${name}` : undefined;
}

/** The sizes of images and the boxes that posters fill, in pixels. */
export const imageSizes = {
  thumbnail: [150, 150],
  medium: [300, 200],
  medium_large: [768, 512],
  large: [1024, 683],
} as const;
export const posterSizes: Readonly<Record<string, readonly [width: number, height: number]>> = { full: [1536, 1024], ...imageSizes };

/** Returns the members of each size. */
export const sizesWith = <T>(size: (name: string) => T): Record<string, T> =>
  Object.fromEntries(Object.keys(imageSizes).map((name) => [name, size(name)]));

/** Returns an image as records show it. Each size is the original. */
export function shownImage(home: string, image: StoredImage): Entry {
  const url = urlOf(home, image);
  const extension = extensionOf(url);
  if (!image.upload) return { url, id: image.id, extension, ...image.shown };
  const { width, height, filesize } = image.upload;
  const original = { width, height, 'mime-type': mimeOf(extension), filesize, url };
  return { url, id: image.id, extension, width, height, filesize, sizes: sizesWith(() => original) };
}

/** Returns the poster of a record without an image. Its ID is 0, because it is not an image that a record can have. */
export function shownPoster(home: string, resource: string, id: number): Entry {
  const posterIn = (name: string) => {
    const [width, height] = posterSizes[name]!;
    return { width, height, 'mime-type': 'image/svg+xml', url: `${home}${postersPath}/${resource}-${id}-${name}.svg` };
  };
  const { width, height, url } = posterIn('full');
  return { url, id: 0, extension: 'svg', width, height, sizes: sizesWith(posterIn) };
}

/** Returns whether a value is the image of a response that is only a poster. */
export const isPoster = (value: unknown): boolean => typeof value === 'object' && value !== null && 'id' in value && value.id === 0;
