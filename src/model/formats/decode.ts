import { DataError } from '../error.ts';

/** A line without its end, and its number from 1. */
export interface TextLine {
  text: string;
  line: number;
}

/** The longest line that is read, in UTF-16 units; what is longer is no line of a calendar. */
export const longestLine = 8 << 20;

type Decoder = InstanceType<typeof TextDecoder>;

const marks: [encoding: string, bytes: number[]][] = [
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
];

/**
 * Bytes as text: in the encoding that a byte order mark names, else in the given one, else UTF-8. Fails with a DataError that names the line
 * of the first byte that does not belong.
 */
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
    throw new DataError('encoding', `is not known: ${JSON.stringify(encoding)}; try utf-8, utf-16le, windows-1252, iso-8859-15, shift_jis`);
  }
}

function decode(decoder: Decoder, chunk: Uint8Array | undefined, encoding: string, line: number): string {
  try {
    return chunk ? decoder.decode(chunk, { stream: true }) : decoder.decode();
  } catch {
    const text = chunk ? new TextDecoder(encoding).decode(chunk) : '';
    const before = text.slice(0, Math.max(0, text.indexOf('\ufffd')));
    const hint = encoding === 'utf-8' ? '; if it is another encoding say so, like --encoding windows-1252' : '';
    throw new DataError(`line ${line + before.split('\n').length - 1}`, `is not ${encoding.toUpperCase()} text${hint}`);
  }
}

/** Text in pieces as lines, ended by LF, CRLF or CR. Fails with a DataError on one that is longer than {@link longestLine}. */
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
    if (length > longestLine) throw new DataError(`line ${line}`, `is longer than ${longestLine >> 20} MiB`);
  }
  const last = rest.join('');
  if (last !== '') yield { text: last, line };
}
