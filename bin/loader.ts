/**
 * The head of the bundle, which build.ts puts before the parts of the program. Each part is a comment line: `//name "code"`, or `//name` and
 * base64 of what is compressed. Node passes over them, and a part is compiled when it is first asked for.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { compileFunction } from 'node:vm';
import type { gunzipSync } from 'node:zlib';

const require = createRequire(import.meta.url);
const [, ...lines] = readFileSync(fileURLToPath(import.meta.url), 'latin1').split('\n//');
const parts = new Map(lines.map((line) => [line.slice(0, line.indexOf(' ')), line.slice(line.indexOf(' ') + 1)]));
const modules = new Map<string, { exports: unknown }>();

/** What a part exports, or its bytes when it is no code; else a module of node's own. */
function load(name: string): unknown {
  const part = parts.get(name);
  if (part === undefined) return require(name);
  if (!name.endsWith('.js')) return unpacked(part);
  let module = modules.get(name);
  if (module === undefined) {
    module = { exports: {} };
    modules.set(name, module);
    const code = part.startsWith('"') ? JSON.parse(part) : unpacked(part).toString('latin1');
    compileFunction(code, ['require', 'module', 'exports', '__dirname'], { filename: name })(load, module, module.exports, '');
  }
  return module.exports;
}

const unpacked = (base64: string): Buffer =>
  (require('node:zlib') as { gunzipSync: typeof gunzipSync }).gunzipSync(Buffer.from(base64, 'base64'));

load('./calendar.js');
