import type { Entry } from '../record.ts';

/** Path of uploaded images, as on a WordPress site. */
export const uploadsPath = '/wp-content/uploads';

/** Path of the posters that a server draws. As the address of an image, it stands for the poster of the record. */
export const postersPath = `${uploadsPath}/posters`;

/** The sizes of images and the boxes that posters fill, in pixels. */
const imageSizes = {
  thumbnail: [150, 150],
  medium: [300, 200],
  medium_large: [768, 512],
  large: [1024, 683],
} as const;
export const posterSizes: Readonly<Record<string, readonly [width: number, height: number]>> = { full: [1536, 1024], ...imageSizes };

/** The members of each size, from its name and its width. */
export const sizesWith = <T>(size: (name: string, width: number) => T): Record<string, T> =>
  Object.fromEntries(Object.entries(imageSizes).map(([name, [width]]) => [name, size(name, width)]));

/** The poster of a record without an image. Its ID is 0, because it is not an image that a record can have. */
export function shownPoster(home: string, resource: string, id: number): Entry {
  const posterIn = (name: string) => {
    const [width, height] = posterSizes[name]!;
    return { width, height, 'mime-type': 'image/svg+xml', url: `${home}${postersPath}/${resource}-${id}-${name}.svg` };
  };
  const { width, height, url } = posterIn('full');
  return { url, id: 0, extension: 'svg', width, height, sizes: sizesWith(posterIn) };
}

const posterUrl = new RegExp(`${postersPath}/[a-z]+-\\d+-[a-z_]+\\.svg$`);

/** True if the image of a response, or its URL, is only a poster. */
export const isPoster = (image: unknown): boolean =>
  typeof image === 'string' ? posterUrl.test(image) : typeof image === 'object' && image !== null && 'id' in image && image.id === 0;
