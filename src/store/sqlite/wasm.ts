import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

/** SQLite as WebAssembly. The build replaces this file with one with the compressed bytes (see build.ts). */
export function wasm(): Uint8Array {
  return readFileSync(createRequire(import.meta.url).resolve('sql.js/dist/sql-wasm.wasm'));
}
