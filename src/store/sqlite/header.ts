export function pageSizeOf(bytes: Uint8Array): number {
  const size = viewOf(bytes).getUint16(16);
  return size === 1 ? 65_536 : Math.max(size, 512);
}

/** Returns the size of a database according to its header, which may be followed by other pages; 0 if the header does not contain it. */
export function databaseSizeOf(bytes: Uint8Array): number {
  if (bytes.length < 100) return 0;
  const header = viewOf(bytes);
  // The page count is valid only if both counters agree; programs older than SQLite 3.7 don't write it.
  return header.getUint32(24) === header.getUint32(92) ? header.getUint32(28) * pageSizeOf(bytes) : 0;
}

const viewOf = ({ buffer, byteOffset, byteLength }: Uint8Array): DataView => new DataView(buffer, byteOffset, byteLength);
