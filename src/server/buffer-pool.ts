import { type BodyPieces, sizeOf } from './http.ts';

/** Sizes of pooled buffers, and how many of each are kept. Larger bodies are joined in a new buffer. */
const pools = [
  { bufferBytes: 16 << 10, maxPooled: 64, free: [] as Buffer[] },
  { bufferBytes: 256 << 10, maxPooled: 16, free: [] as Buffer[] },
];

/** Joins the pieces of a body in a pooled buffer, because allocating one costs more than filling it. `free` returns the buffer to the pool after its bytes have been written. */
export function joinInPool(pieces: BodyPieces): { bytes: Uint8Array; free(): void } {
  const size = sizeOf(pieces);
  const pool = pools.find(({ bufferBytes }) => size <= bufferBytes);
  if (!pool) return { bytes: Buffer.concat(pieces, size), free() {} };
  const { free, bufferBytes, maxPooled } = pool;
  const buffer = free.pop() ?? Buffer.allocUnsafeSlow(bufferBytes);
  let offset = 0;
  for (const piece of pieces) {
    buffer.set(piece, offset);
    offset += piece.length;
  }
  return {
    bytes: buffer.subarray(0, size),
    free() {
      if (free.length < maxPooled) free.push(buffer);
    },
  };
}
