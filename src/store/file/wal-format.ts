import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import { assertRegular } from './files.ts';
import type { Identity } from './format.ts';

/*
 * header  magic 16 | salt 8 | identity of the file that the log continues 16 | crc32 4
 * frame   magic 2 | kind 1 | flags 1 | number 4 | length of payload 4 | crc32 of payload 4 | crc32 of the 16 bytes before 4 | payload
 *
 * A frame contains a line of JSON for each change, or the identity of a file that contains everything before the frame. One write appends one or
 * more frames. The checksums start from the salt, so that frames of an earlier log are not mistaken for frames of this one.
 */
const magic = Buffer.from('calendar log 1\n\0');
const headerSize = 44;
const frameSize = 20;
const frameMagic = 0xca1f;
const sector = 512;
/** Flags: everything before the frame was synced when it was written; the frame is the last of a write that was synced before it was acknowledged. */
const afterSyncFlag = 1;
const syncedFlag = 2;

/** changes: JSON lines, one per committed change. checkpoint: the identity of a file that contains everything before the frame. */
type FrameKind = 'changes' | 'checkpoint';
const kinds: FrameKind[] = ['changes', 'checkpoint'];

export interface Frame {
  kind: FrameKind;
  payload: Buffer;
}

/** The first invalid byte of a log, and whether a crash explains it. */
interface Break {
  at: number;
  /** torn: the rest of an unacknowledged write that a crash interrupted. damaged: content that was valid once. */
  cause: 'torn' | 'damaged';
  text: string;
  /** Number of invalid bytes, up to the next valid frame or the end. */
  length: number;
  /** Number of readable changes after the damage. */
  after: number;
}

/** The valid frames of a log. */
export interface LogReading {
  base: Identity | undefined;
  salt: number;
  frames: Frame[];
  /** Number of valid bytes from the start. */
  good: number;
  broken: Break | undefined;
}

/** Reads the log at `path`, or its first `limit` bytes; undefined if there is none. */
export function readLog(path: string, limit?: number): LogReading | undefined {
  try {
    assertRegular(path);
    return parseLog(readFileSync(path).subarray(0, limit));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Parses a log, and classifies the first invalid byte. */
export function parseLog(bytes: Buffer): LogReading {
  const reading: LogReading = { base: undefined, salt: 0, frames: [], good: 0, broken: undefined };
  if (bytes.length === 0) return reading;
  if (bytes.length < headerSize || !headerIsRight(bytes)) {
    const torn = bytes.length < headerSize || (bytes.subarray(0, headerSize).every((byte) => byte === 0) && !hasFrameMagic(bytes));
    reading.broken = torn ? tornBreak(0, bytes) : damagedBreak(0, 'the log header', bytes.length, 0);
    return reading;
  }
  reading.base = bytes.toString('hex', 24, 40);
  reading.salt = crc32(bytes.subarray(16, 24));
  reading.good = headerSize;
  while (reading.good < bytes.length) {
    const frame = frameAt(bytes, reading.good, reading.frames.length + 1, reading.salt);
    if (frame.state !== 'right') {
      reading.broken = classify(bytes, reading, frame);
      return reading;
    }
    reading.frames.push({ kind: frame.kind, payload: frame.payload });
    reading.good = frame.end;
  }
  return reading;
}

type At =
  | { state: 'right'; kind: FrameKind; payload: Buffer; number: number; afterSync: boolean; end: number }
  | { state: 'short' }
  | { state: 'wrong'; what: string; end: number | undefined; synced: boolean };

function frameAt(bytes: Buffer, at: number, number: number | undefined, salt: number): At {
  if (bytes.length - at < frameSize) return { state: 'short' };
  const header = bytes.subarray(at, at + frameSize);
  if (header.readUInt16BE(0) !== frameMagic || crc32(header.subarray(0, 16), salt) !== header.readUInt32BE(16))
    return { state: 'wrong', what: 'a record header', end: undefined, synced: false };
  const end = at + frameSize + header.readUInt32BE(8);
  const actual = header.readUInt32BE(4);
  const flags = header.readUInt8(3);
  const synced = (flags & syncedFlag) !== 0;
  if (number !== undefined && actual !== number)
    return { state: 'wrong', what: `record ${number} (found record ${actual} instead)`, end, synced };
  if (end > bytes.length) return { state: 'short' };
  const payload = bytes.subarray(at + frameSize, end);
  if (crc32(payload, salt) !== header.readUInt32BE(12)) return { state: 'wrong', what: `record ${actual}`, end, synced };
  const kind = kinds[header.readUInt8(2)];
  if (kind === undefined) return { state: 'wrong', what: `record ${actual} (unknown kind)`, end, synced };
  return { state: 'right', kind, payload, number: actual, afterSync: (flags & afterSyncFlag) !== 0, end };
}

/*
 * A crash of the process leaves a shorter last frame. A power failure can also leave the last frame at its full length with unwritten sectors,
 * which read as zeros; JSON contains no zeros. Anything else is a frame that was valid once. A frame that was written after a sync proves that
 * everything before it was valid then, as do any bytes after a synced frame.
 */
function classify(bytes: Buffer, reading: LogReading, broken: At & { state: 'short' | 'wrong' }): Break {
  const at = reading.good;
  const later = followers(bytes, Math.max(at + 1, broken.state === 'wrong' ? (broken.end ?? 0) : 0), reading);
  const end = later.start ?? bytes.length;
  const followed = broken.state === 'wrong' && broken.synced && bytes.subarray(broken.end).some((byte) => byte !== 0);
  if (!later.afterSync && !followed && (broken.state === 'short' || hasHole(bytes, at, end))) return tornBreak(at, bytes);
  const what = broken.state === 'wrong' ? broken.what : 'a record header';
  return damagedBreak(at, what, end - at, later.changes);
}

function followers(bytes: Buffer, from: number, reading: LogReading): { start: number | undefined; afterSync: boolean; changes: number } {
  const result = { start: undefined as number | undefined, afterSync: false, changes: 0 };
  for (let at = from; at < bytes.length - frameSize; ) {
    const frame = bytes.readUInt16BE(at) === frameMagic ? frameAt(bytes, at, undefined, reading.salt) : undefined;
    if (frame?.state === 'right' && frame.number > reading.frames.length) {
      result.start ??= at;
      result.afterSync ||= frame.afterSync;
      if (frame.kind === 'changes') result.changes += payloadLines(frame.payload).length;
      at = frame.end;
    } else at += 1;
  }
  return result;
}

function hasHole(bytes: Buffer, from: number, to: number): boolean {
  for (let at = from; at < to; ) {
    const end = Math.min(to, (Math.floor(at / sector) + 1) * sector);
    if (bytes.subarray(at, end).every((byte) => byte === 0)) return true;
    at = end;
  }
  return false;
}

function tornBreak(at: number, bytes: Buffer): Break {
  return {
    at,
    cause: 'torn',
    text: `the last ${bytes.length - at} bytes of the log are an incomplete record`,
    length: bytes.length - at,
    after: 0,
  };
}

function damagedBreak(at: number, what: string, length: number, after: number): Break {
  return { at, cause: 'damaged', text: `${what} at byte ${at} of the log is damaged`, length, after };
}

function headerIsRight(bytes: Buffer): boolean {
  return bytes.subarray(0, 16).equals(magic) && crc32(bytes.subarray(0, 40)) === bytes.readUInt32BE(40);
}

/** True if bytes contain the start of a frame, which JSON in UTF-8 never does. */
function hasFrameMagic(bytes: Buffer): boolean {
  for (let at = headerSize; at < bytes.length - 1; at += 1) if (bytes.readUInt16BE(at) === frameMagic) return true;
  return false;
}

/** The changes of a frame as JSON texts. */
export function payloadLines(payload: Buffer): string[] {
  return payload.length === 0 ? [] : payload.toString('utf8').split('\n');
}

/** The header of a new log that continues the file `base`, and the salt of its checksums. */
export function headerFor(base: Identity): { header: Buffer; salt: number } {
  const header = Buffer.alloc(headerSize);
  magic.copy(header);
  randomBytes(8).copy(header, 16);
  header.write(base, 24, 'hex');
  header.writeUInt32BE(crc32(header.subarray(0, 40)), 40);
  return { header, salt: crc32(header.subarray(16, 24)) };
}

/** The frame that marks a file with this identity as complete. */
export const checkpointFrame = (identity: Identity): Frame => ({ kind: 'checkpoint', payload: Buffer.from(identity, 'hex') });

/** The bytes of a frame. `afterSync`: everything before it is synced. `synced`: it ends a write that is synced before it is acknowledged. */
export function encoded(
  { kind, payload }: Frame,
  number: number,
  { afterSync, synced }: { afterSync: boolean; synced: boolean },
  salt: number,
): Buffer {
  const frame = Buffer.allocUnsafe(frameSize + payload.length);
  frame.writeUInt16BE(frameMagic, 0);
  frame.writeUInt8(kinds.indexOf(kind), 2);
  frame.writeUInt8((afterSync ? afterSyncFlag : 0) | (synced ? syncedFlag : 0), 3);
  frame.writeUInt32BE(number, 4);
  frame.writeUInt32BE(payload.length, 8);
  frame.writeUInt32BE(crc32(payload, salt), 12);
  frame.writeUInt32BE(crc32(frame.subarray(0, 16), salt), 16);
  payload.copy(frame, frameSize);
  return frame;
}
