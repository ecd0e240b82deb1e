/**
 * Loads the parts of the program. build.ts compiles it twice: as the head of the bundle, which is the command line, and as dist/index.cjs, which loads
 * the library from the bundle in the same folder. The function `parts` follows the head. It contains only a comment with a line for each part: its name, a space, and its
 * code as JSON, or its bytes compressed and in base64. A chunk of code is compiled on first use.
 *
 * There is no `import` and no `export`, so that the file runs as a CommonJS module, which starts faster, and as an ES module.
 */
/** Defined in dist/index.cjs. */
declare const isLibrary: true | undefined;
/** The last function of the bundle. */
declare function parts(): void;

const asLibrary = typeof isLibrary !== 'undefined';
const required = typeof require === 'function' ? require : process.getBuiltinModule('node:module').createRequire(process.argv[1]!);
const file = asLibrary ? bundlePath() : typeof __filename === 'string' ? __filename : required.resolve(process.argv[1]!);
const { readFileSync }: typeof import('node:fs') = required('node:fs');
const { compileFunction, runInThisContext }: typeof import('node:vm') = required('node:vm');

/** Returns the path of the bundle, which is in the folder of dist/index.cjs. Throws if a bundler has copied that file elsewhere, or resolves to its own numbers. */
function bundlePath(): string {
  let path: unknown;
  try {
    path = required.resolve('./calendar.js');
  } catch {}
  if (typeof path === 'string') return path;
  throw new Error(
    'local-calendar reads its files at run time, so it cannot be bundled. Make it external: in Next with serverExternalPackages: ["local-calendar"] in next.config.mjs, in SvelteKit by listing it under dependencies in package.json',
  );
}

// A pattern, because a text would be found in this line.
const comment = /^\/\*\n/m;
/** Returns the parts from memory, because reading the file again takes longer. Bun drops comments, and the library is another file. */
function partsText(): string {
  const text = asLibrary ? '' : parts.toString();
  return comment.test(text) ? text : readFileSync(file, 'latin1');
}

const text = partsText();
const lines = text.slice(text.search(comment) + 3, text.lastIndexOf('*/')).split('\n');
const stored = new Map(lines.map((line) => [line.slice(0, line.indexOf(' ')), line.slice(line.indexOf(' ') + 1)]));
const modules = new Map<string, { exports: unknown }>();

/** Returns the exports of a chunk, the bytes of an asset, or a built-in module. */
function load(name: string): unknown {
  const loaded = modules.get(name);
  if (loaded !== undefined) return loaded.exports;
  if (name === 'part:import') return (address: string) => import(address);
  const part = stored.get(name);
  if (part === undefined) return required(name);
  if (!name.endsWith('.js')) return unpack(part, name.endsWith('.image'));
  const code = part.startsWith('"') ? JSON.parse(part) : unpack(part).toString();
  const module = { exports: {} };
  modules.set(name, module);
  const names = ['require', 'module', 'exports', '__dirname', '__filename', ...Object.keys(globals)];
  // A runner of tests may have given its tests globals of their own, which our values have to be made with.
  const run = asLibrary
    ? new Function(...names, `${code}\n//# sourceURL=calendar/${name}`)
    : compileFunction(code, names, { filename: name });
  run(load, module, module.exports, '', asLibrary ? '' : file, ...Object.values(globals));
  return module.exports;
}

/** Decompresses a part. One chunk with room for the result takes a quarter less time than many. */
function unpack(base64: string, isImage = false): Buffer {
  const { brotliDecompressSync, inflateRawSync }: typeof import('node:zlib') = required('node:zlib');
  const bytes = Buffer.from(base64, 'base64');
  return isImage ? brotliDecompressSync(bytes, { chunkSize: 1 << 19 }) : inflateRawSync(bytes, { chunkSize: 64 + 4 * base64.length });
}

/** Web interfaces that test environments lack; those of an environment that has them are used, because its tests may replace them. */
const webNames = ['crypto', 'fetch', 'FormData', 'Headers', 'ReadableStream', 'Request', 'Response'] as const;

/**
 * Returns node's values of globals that test environments such as jsdom lack or replace with others: a timer of a window has no `unref`, and node rejects the signal of a window. They are
 * read once, before a test installs fake timers.
 */
function nodeGlobals(): Record<string, unknown> {
  const timers: typeof import('node:timers') = required('node:timers');
  const { setTimeout, clearTimeout, setInterval, clearInterval, setImmediate, clearImmediate } = timers;
  const { TextDecoder, TextEncoder }: typeof import('node:util') = required('node:util');
  const { URL, URLSearchParams }: typeof import('node:url') = required('node:url');
  const { performance }: typeof import('node:perf_hooks') = required('node:perf_hooks');
  // The globals of the process, which differ from those of a test in a separate context.
  const main: typeof globalThis = runInThisContext('globalThis');
  const { AbortController, AbortSignal } = main;
  return {
    setTimeout,
    clearTimeout,
    setInterval,
    clearInterval,
    setImmediate,
    clearImmediate,
    TextDecoder,
    TextEncoder,
    URL,
    URLSearchParams,
    performance,
    AbortController,
    AbortSignal,
    ...Object.fromEntries(webNames.filter((name) => !(name in globalThis)).map((name) => [name, main[name]])),
  };
}

const globals = asLibrary ? nodeGlobals() : {};

if (asLibrary) module.exports = load('./library.js');
else load('./calendar.js');
