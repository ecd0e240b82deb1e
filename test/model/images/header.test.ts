import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { imageHeader } from '../../../src/model/images/header.ts';

const fileNamed = (name: string) => readFileSync(new URL(`../../support/files/images/${name}`, import.meta.url));
const bytes = (text: string) => Buffer.from(text, 'latin1');

/** A box of an AVIF file. */
function box(type: string, content: Buffer): Buffer {
  const head = Buffer.alloc(8);
  head.writeUInt32BE(8 + content.length);
  head.write(type, 4);
  return Buffer.concat([head, content]);
}

/** An AVIF file of 16 × 16 pixels with empty boxes before the one that leads to its size. */
function avifBehind(count: number): Buffer {
  const size = box('ispe', Buffer.from([0, 0, 0, 0, 0, 0, 0, 16, 0, 0, 0, 16]));
  const meta = box('meta', Buffer.concat([Buffer.alloc(4), box('iprp', box('ipco', size))]));
  return Buffer.concat([box('ftyp', bytes('avif\0\0\0\0mif1avif')), Buffer.alloc(8 * count, box('free', Buffer.alloc(0))), meta]);
}

describe('the header of an image', () => {
  it('is found behind a few other boxes', () => expect(imageHeader(avifBehind(20))).toMatchObject({ width: 16, height: 16 }));

  it.each([
    ['baseline.jpg', 'image/jpeg', 'jpg', 48, 32],
    ['progressive.jpg', 'image/jpeg', 'jpg', 48, 32],
    ['plain.png', 'image/png', 'png', 48, 32],
    ['plain.gif', 'image/gif', 'gif', 48, 32],
    ['lossy.webp', 'image/webp', 'webp', 48, 32],
    ['lossless.webp', 'image/webp', 'webp', 48, 32],
    ['extended.webp', 'image/webp', 'webp', 48, 32],
    ['plain.avif', 'image/avif', 'avif', 48, 32],
    ['transparent.avif', 'image/avif', 'avif', 48, 32],
  ])('of %s', (name, mime, extension, width, height) => {
    const file = fileNamed(name);
    expect(imageHeader(file)).toEqual({ mime, extension, width, height });
    // Within a larger buffer.
    const within = Buffer.concat([Buffer.alloc(5), file]).subarray(5);
    expect(imageHeader(within)).toEqual({ mime, extension, width, height });
  });

  it.each([
    ['nothing', Buffer.alloc(0)],
    ['text', bytes('hello')],
    ['SVG', bytes('<svg xmlns="http://www.w3.org/2000/svg" width="10" height="10"/>')],
    ['HTML', bytes('<!doctype html><script>alert(1)</script>')],
    ['a HEIC file', bytes('\0\0\0\x18ftypheic\0\0\0\0mif1heic')],
    ['a video', bytes('\0\0\0\x18ftypisom\0\0\0\0isommp42')],
    ['a sound in RIFF', bytes('RIFF\x24\0\0\0WAVEfmt ')],
    ['a PNG without a size', bytes('\x89PNG\r\n\x1a\n\0\0\0\rIDAT\0\0\0\x10\0\0\0\x10')],
    ['a PNG of 4294967295 pixels', bytes('\x89PNG\r\n\x1a\n\0\0\0\rIHDR\xff\xff\xff\xff\0\0\0\x10')],
    ['an AVIF with a size behind a million boxes', avifBehind(1_000_000)],
    ['a GIF of no pixels', bytes('GIF89a\0\0\0\0\0\0\0')],
    ['a GIF of another version', bytes('GIF90a\x10\0\x10\0\0\0\0')],
    ['a JPEG with an empty segment', bytes(`\xff\xd8\xff\xe0\0\0${'\0'.repeat(40)}`)],
    ['a JPEG without a frame', bytes('\xff\xd8\xff\xe0\0\x04JF\xff\xd9')],
    ['a lossless WebP with a wrong signature', bytes(`RIFF\x24\0\0\0WEBPVP8L\0\0\0\0\x2e${'\xff'.repeat(9)}`)],
    ['a box of no length', bytes('\0\0\0\x14ftypavif\0\0\0\0avif\0\0\0\x04meta')],
  ])('of %s is undefined', (_, content) => expect(imageHeader(content)).toBeUndefined());

  it('of a file that ends at any byte is undefined or complete', () => {
    for (const name of ['progressive.jpg', 'plain.png', 'plain.gif', 'extended.webp', 'lossless.webp', 'transparent.avif']) {
      const file = fileNamed(name);
      const whole = imageHeader(file);
      for (let end = 0; end < file.length; end += 1)
        expect([name, end, [undefined, whole]]).toEqual([name, end, expect.arrayContaining([imageHeader(file.subarray(0, end))])]);
    }
  });
});
