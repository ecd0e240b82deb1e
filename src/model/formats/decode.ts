import { DataError } from '../error.ts';

/** A line without its line break, and its number from 1. */
export interface TextLine {
  text: string;
  line: number;
}

/** Maximum length of a line, in UTF-16 units. */
export const maxLineLength = 8 << 20;

type Decoder = InstanceType<typeof TextDecoder>;

const marks: [encoding: string, bytes: number[]][] = [
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
];

/** Decodes bytes: in the encoding of a byte order mark, else in the given one, else UTF-8. Throws a DataError with the line of the first invalid byte. */
export function* decodeChunks(chunks: Iterable<Uint8Array>, encoding = 'utf-8'): Generator<string> {
  let decoder: Decoder | undefined;
  let name = encoding;
  let line = 1;
  for (const chunk of chunks) {
    name = decoder ? name : (marks.find(([, bytes]) => bytes.every((byte, at) => chunk[at] === byte))?.[0] ?? encoding);
    decoder ??= decoderFor(name);
    const text = decode(decoder, chunk, name, line);
    for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) line++;
    yield text;
  }
  if (decoder) yield decode(decoder, undefined, name, line);
}

function decoderFor(encoding: string): Decoder {
  try {
    return new TextDecoder(encoding, { fatal: true });
  } catch {
    throw new DataError(
      'encoding',
      `${JSON.stringify(encoding)} is not supported. Examples: utf-8, utf-16le, windows-1252, iso-8859-15, shift_jis`,
    );
  }
}

function decode(decoder: Decoder, chunk: Uint8Array | undefined, encoding: string, line: number): string {
  try {
    return chunk ? decoder.decode(chunk, { stream: true }) : decoder.decode();
  } catch {
    const text = chunk ? new TextDecoder(encoding).decode(chunk) : '';
    const before = text.slice(0, Math.max(0, text.indexOf('\ufffd')));
    const hint = encoding === 'utf-8' ? '. For another encoding, use e.g. --encoding windows-1252' : '';
    throw new DataError(`line ${line + before.split('\n').length - 1}`, `invalid ${encoding.toUpperCase()}${hint}`);
  }
}

/** Splits text into lines at LF, CRLF or CR. Throws a DataError for a line longer than {@link maxLineLength}. */
export function* linesIn(chunks: Iterable<string>): Generator<TextLine> {
  let rest: string[] = [];
  let length = 0;
  let line = 1;
  let afterReturn = false;
  for (const chunk of chunks) {
    const text = afterReturn && chunk.startsWith('\n') ? chunk.slice(1) : chunk;
    if (chunk !== '') afterReturn = chunk.endsWith('\r');
    const pieces = text.split(/\r\n|[\n\r]/);
    for (let at = 0; at < pieces.length - 1; at++) {
      rest.push(pieces[at]!);
      yield { text: rest.length === 1 ? rest[0]! : rest.join(''), line: line++ };
      rest = [];
      length = 0;
    }
    rest.push(pieces.at(-1)!);
    length += pieces.at(-1)!.length;
    if (length > maxLineLength) throw new DataError(`line ${line}`, `line is longer than ${maxLineLength >> 20} MiB`);
  }
  const last = rest.join('');
  if (last !== '') yield { text: last, line };
}
