import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

/**
 * The bytes of SQLite as WebAssembly. The build replaces this file by one that holds them compressed (see build.ts), so that the
 * bundle needs no other file.
 */
export function wasm(): Uint8Array {
  return readFileSync(createRequire(import.meta.url).resolve('sql.js/dist/sql-wasm.wasm'));
}
