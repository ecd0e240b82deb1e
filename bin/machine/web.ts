import { hmac } from '@noble/hashes/hmac.js';
import { md5, sha1 } from '@noble/hashes/legacy.js';
import { scrypt, scryptAsync } from '@noble/hashes/scrypt.js';
import { sha256 } from '@noble/hashes/sha2.js';
import type { SqlJsStatic } from 'sql.js';
import { type Machine, runOn, scryptOptions } from '../../src/machine.ts';
import { Failure } from '../../src/model/error.ts';
import { base64Text, hexText, utf8Bytes } from '../../src/model/formats/bytes.ts';
import { startSqlJs } from '../../src/store/sqlite/start.ts';

/** SQLite as WebAssembly: its address, a response with it, its bytes, or the compiled module (a `WebAssembly.Module`). */
export type WasmSource = string | URL | Response | ArrayBuffer | Uint8Array | object;

/** The used part of WebAssembly, which the types of node 20 lack. */
declare const WebAssembly: {
  compile(bytes: ArrayBuffer | Uint8Array): Promise<object>;
  compileStreaming(response: Response): Promise<object>;
  instantiate(module: object, imports: object): Promise<object>;
};

let source: WasmSource | undefined;
let loading: Promise<SqlJsStatic> | undefined;

/** Sets where SQLite is loaded from, unless it is loaded already. By default, it is the file beside the program. */
export function loadSqliteFrom(given: WasmSource): void {
  source ??= given;
}

/** The failure to load SQLite. */
const notLoaded = (reason: string) =>
  new Failure(
    'unreachable',
    `SQLite could not be loaded: ${reason}`,
    "If your bundler leaves sqlite.wasm out, import its address and pass it: import wasm from 'local-calendar/web/sqlite.wasm?url' in Vite.",
  );

/** The `WebAssembly.Module` in a source. Throws `unreachable` if it can't be loaded or is something else. */
export async function compiled(given: WasmSource): Promise<object> {
  if (given instanceof ArrayBuffer || ArrayBuffer.isView(given)) return WebAssembly.compile(given as Uint8Array);
  const isFetched = typeof given === 'string' || given instanceof URL || given instanceof Response;
  if (!isFetched) return given;
  const response = given instanceof Response ? given : await fetch(given).catch((error: Error) => Promise.reject(notLoaded(error.message)));
  const address = response.url || String(given);
  if (!response.ok) throw notLoaded(`${address} returned status ${response.status}`);
  // Servers that don't know the extension send it as another type, which browsers refuse to compile while it arrives.
  const isWasm = response.headers.get('content-type') === 'application/wasm';
  const compiling = isWasm ? WebAssembly.compileStreaming(response) : WebAssembly.compile(await response.arrayBuffer());
  return compiling.catch(() => {
    throw notLoaded(`${address} is not WebAssembly`);
  });
}

async function start(): Promise<SqlJsStatic> {
  // Bundlers understand this form.
  const place = source ?? new URL('./sqlite.wasm', import.meta.url);
  const [{ default: initSqlJs }, module] = await Promise.all([import('sql.js'), compiled(place)]);
  return startSqlJs(initSqlJs, (imports) => WebAssembly.instantiate(module, imports));
}

const hashes = { md5, sha1, sha256 };
const base64url = (bytes: Uint8Array): string => base64Text(bytes).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');

const { length: dkLen, ...cost } = scryptOptions;
const options = { ...cost, dkLen };

/** Turns that wait. Timers take 4 ms, and messages come at once. */
const turns: (() => void)[] = [];
let wake: (() => void) | undefined;

function openChannel(): () => void {
  const { port1, port2 } = new MessageChannel();
  Object.assign(port1, { onmessage: () => turns.shift()!() });
  // In Node, a port with a listener keeps the process running.
  port1.unref?.();
  return () => port2.postMessage(undefined);
}

/** The web platform. */
export const web: Machine = {
  async loadSqlite() {
    loading ??= start();
    try {
      return await loading;
    } catch (error) {
      // The next calendar may find it.
      [loading, source] = [undefined, undefined];
      throw error;
    }
  },
  hash(algorithm, data, encoding) {
    const hashed = hashes[algorithm](typeof data === 'string' ? utf8Bytes(data) : data);
    return encoding === 'hex' ? hexText(hashed) : base64url(hashed);
  },
  keyedHash: (key, text) => base64url(hmac(sha256, key, utf8Bytes(text))),
  scrypt: (password, salt) => scryptAsync(password, salt, options),
  scryptSync: (password, salt) => scrypt(password, salt, options),
  uptime: () => performance.now() / 1000,
  nextTurn: () =>
    new Promise((resolve) => {
      turns.push(resolve);
      wake ??= openChannel();
      wake();
    }),
  letManyListen() {},
};

/** Runs this page or worker on the web platform, without files. */
export const runOnWeb = (): void => runOn(web);
