import { wordpressPath } from '../addresses.ts';
import type { Entry } from '../record.ts';
import { imageExtensions, mimeOf } from './header.ts';
import { sizesWith, uploadsPath } from './poster-image.ts';

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
  siteFacts?: Record<string, unknown>;
}

export const extensionOf = (url: string): string => new URL(url, 'http://localhost').pathname.split('.').pop()!.toLowerCase();

export const urlOf = (home: string, { url }: Pick<StoredImage, 'url'>): string => (url.startsWith('/') ? home + url : url);

/** The path under which an address would be stored if it is one of an uploaded image, on any host. */
export function uploadPathIn(url: string): string | undefined {
  const name = url.slice(url.lastIndexOf('/') + 1);
  return uploadName.test(name) && url.endsWith(`${uploadsPath}/${name}`) ? `${uploadsPath}/${name}` : undefined;
}

/** The sizes of an image elsewhere: its address with the widths that WordPress scales images to. They are never stored. */
export const nominalSizes = (url: string): Record<string, object> => sizesWith((_name, width) => ({ width, url }));

/** An image as records show it. Each size of an uploaded one is the original. */
export function shownImage(home: string, image: StoredImage): Entry {
  const url = urlOf(home, image);
  const extension = extensionOf(url);
  if (!image.upload) return { url, id: image.id, extension, ...(image.siteFacts ?? { sizes: nominalSizes(url) }) };
  const { width, height, filesize } = image.upload;
  const original = { width, height, 'mime-type': mimeOf(extension), filesize, url };
  return { url, id: image.id, extension, width, height, filesize, sizes: sizesWith(() => original) };
}
