/** Type and size of an image, read from its first bytes. */
interface ImageHeader {
  mime: string;
  /** Extension of its file name. */
  extension: string;
  /** In pixels, as stored: rotation by metadata is ignored. */
  width: number;
  height: number;
}

type Size = readonly [width: number, height: number];

interface Format {
  mime: string;
  extension: string;
  starts(bytes: DataView): boolean;
  /** Undefined if the file has none. Throws a RangeError if it is cut off. */
  size(bytes: DataView): Size | undefined;
}

const textAt = (bytes: DataView, start: number, length: number): string => {
  let text = '';
  for (let at = start; at < start + length; at += 1) text += String.fromCharCode(bytes.getUint8(at));
  return text;
};

/** A box of the ISO base media file format. */
interface Box {
  type: string;
  start: number;
  end: number;
}

/** Maximum number of boxes that are read at one level. Files of encoders have fewer than 20. */
const maxBoxes = 1000;

/** Yields the first boxes between two positions (ISO/IEC 14496-12, 4.2). */
function* boxesIn(bytes: DataView, start: number, end: number): Generator<Box> {
  for (let at = start, count = 0; at + 8 <= end && count < maxBoxes; count += 1) {
    const short = bytes.getUint32(at);
    const head = short === 1 ? 16 : 8;
    const length = short === 1 ? Number(bytes.getBigUint64(at + 8)) : short === 0 ? end - at : short;
    if (length < head) return;
    yield { type: textAt(bytes, at + 4, 4), start: at + head, end: Math.min(at + length, end) };
    at += length;
  }
}

/** The size of the largest picture of an AVIF file: the others are previews or its transparency. */
function avifSize(bytes: DataView): Size | undefined {
  let within: Box = { type: '', start: 0, end: bytes.byteLength };
  for (const type of ['meta', 'iprp', 'ipco']) {
    const match = [...boxesIn(bytes, within.start, within.end)].find((box) => box.type === type);
    if (!match) return undefined;
    // Version and flags.
    within = type === 'meta' ? { ...match, start: match.start + 4 } : match;
  }
  const sizes = [...boxesIn(bytes, within.start, within.end)]
    .filter(({ type }) => type === 'ispe')
    .map(({ start }): Size => [bytes.getUint32(start + 4), bytes.getUint32(start + 8)]);
  return sizes.sort((a, b) => b[0] * b[1] - a[0] * a[1])[0];
}

/** Markers of frames, without those of tables (DHT, JPG, DAC). */
const isFrame = (marker: number) => marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);

function jpegSize(bytes: DataView): Size | undefined {
  for (let at = 2; ; ) {
    if (bytes.getUint8(at) !== 0xff) return undefined;
    const marker = bytes.getUint8(at + 1);
    // Fill bytes.
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    const length = bytes.getUint16(at + 2);
    if (length < 2) return undefined;
    if (isFrame(marker)) return [bytes.getUint16(at + 7), bytes.getUint16(at + 5)];
    at += 2 + length;
  }
}

const uint24 = (bytes: DataView, at: number) => bytes.getUint16(at, true) + (bytes.getUint8(at + 2) << 16);

/** The size of a WebP file by the type of its first chunk. */
function webpSize(bytes: DataView): Size | undefined {
  const type = textAt(bytes, 12, 4);
  if (type === 'VP8X') return [uint24(bytes, 24) + 1, uint24(bytes, 27) + 1];
  if (type === 'VP8 ') return [bytes.getUint16(26, true) & 0x3fff, bytes.getUint16(28, true) & 0x3fff];
  if (type !== 'VP8L' || bytes.getUint8(20) !== 0x2f) return undefined;
  const bits = bytes.getUint32(21, true);
  return [(bits & 0x3fff) + 1, ((bits >>> 14) & 0x3fff) + 1];
}

const isAvif = (brand: string) => brand === 'avif' || brand === 'avis';

/** The formats that are accepted. */
const formats: readonly Format[] = [
  { mime: 'image/jpeg', extension: 'jpg', starts: (bytes) => bytes.getUint32(0) >>> 8 === 0xffd8ff, size: jpegSize },
  {
    mime: 'image/png',
    extension: 'png',
    starts: (bytes) => textAt(bytes, 0, 8) === '\x89PNG\r\n\x1a\n',
    size: (bytes) => (textAt(bytes, 12, 4) === 'IHDR' ? [bytes.getUint32(16), bytes.getUint32(20)] : undefined),
  },
  {
    mime: 'image/gif',
    extension: 'gif',
    starts: (bytes) => /^GIF8[79]a$/.test(textAt(bytes, 0, 6)),
    size: (bytes) => [bytes.getUint16(6, true), bytes.getUint16(8, true)],
  },
  {
    mime: 'image/webp',
    extension: 'webp',
    starts: (bytes) => textAt(bytes, 0, 4) === 'RIFF' && textAt(bytes, 8, 4) === 'WEBP',
    size: webpSize,
  },
  {
    mime: 'image/avif',
    extension: 'avif',
    starts(bytes) {
      if (textAt(bytes, 4, 4) !== 'ftyp') return false;
      const end = Math.min(bytes.getUint32(0), bytes.byteLength);
      for (let at = 8; at + 4 <= end; at += 4) if (at !== 12 && isAvif(textAt(bytes, at, 4))) return true;
      return false;
    },
    size: avifSize,
  },
];

/** Undefined past their end. */
function withinBytes<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** Extensions of the accepted formats. */
export const imageExtensions: readonly string[] = formats.map(({ extension }) => extension);

/** The MIME type of an accepted format by its extension. */
export const mimeOf = (extension: string): string => formats.find((format) => format.extension === extension)!.mime;

/** Maximum width and height in pixels: that of JPEG and AVIF. Larger values are those of damaged files. */
const maxPixels = 65_536;
const isSize = (pixels: number): boolean => pixels > 0 && pixels <= maxPixels;

/** Type and size of a JPEG, PNG, GIF, WebP or AVIF file by its content; undefined for other and for damaged files. */
export function imageHeader(content: Uint8Array): ImageHeader | undefined {
  const bytes = new DataView(content.buffer, content.byteOffset, content.byteLength);
  const format = formats.find(({ starts }) => withinBytes(() => starts(bytes)));
  const [width = 0, height = 0] = (format && withinBytes(() => format.size(bytes))) ?? [];
  return format && isSize(width) && isSize(height) ? { mime: format.mime, extension: format.extension, width, height } : undefined;
}
