/**
 * Loads the parts of the program. build.ts compiles it twice: as the head of the bundle, which is the command line, and as dist/index.cjs, which loads
 * the library from the bundle in the same folder. The function `parts` follows the head. It contains only a comment: an index of the parts in the first line, then
 * each part as code, as JSON if the code would end the comment, or compressed as base64. Small parts that few commands use are in an archive, which is compressed as a whole: see
 * build/bundle-parts.ts. A part is compiled on first use.
 *
 * There is no `import` and no `export`, so that the file runs as a CommonJS module, which starts faster, and as an ES module.
 */
/** Start and end of a part in the text after the index, or in the bytes of an archive, and its form if it is not code: see build/bundle-parts.ts. */
type Place = [start: number, end: number, form?: string];
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
const indexLine = /^\/\*\{/m;
/** Returns the parts from memory, because reading the file again takes longer. Bun drops comments, and the library is another file. */
function partsText(): string {
  const text = asLibrary ? '' : parts.toString();
  return indexLine.test(text) ? text : readFileSync(file, 'latin1');
}

const text = partsText();
const indexStart = text.search(indexLine) + 2;
const indexEnd = text.indexOf('\n', indexStart) + 1;
const { places, common }: { places: Record<string, Place | undefined>; common: Record<string, string[] | undefined> } = JSON.parse(
  text.slice(indexStart, indexEnd),
);
const modules = new Map<string, { exports: unknown }>();
const archives = new Map<string, Buffer>();

/** Returns the exports of a part, its bytes if it is not code, or a built-in module. */
function load(name: string): unknown {
  const loaded = modules.get(name);
  if (loaded !== undefined) return loaded.exports;
  if (name === 'part:import') return (address: string) => import(address);
  if (name === 'part:next') return loadNext;
  const place = places[name];
  if (place === undefined) return required(name);
  if (!name.endsWith('.js')) return bytesOf(place);
  const module = { exports: {} };
  modules.set(name, module);
  const code = codeOf(place);
  const names = ['require', 'linked_', 'module', 'exports', '__dirname', '__filename', ...Object.keys(globals)];
  // A runner of tests may have given its tests globals of their own, which our values have to be made with.
  const run = asLibrary
    ? new Function(...names, `${code}\n//# sourceURL=calendar/${name}`)
    : compileFunction(code, names, { filename: name });
  run(load, linked, module, module.exports, '', asLibrary ? '' : file, ...Object.values(globals));
  return module.exports;
}

/** Loads the next part that each frequent command loads that uses SQLite in this way. Returns false if there is none. */
function loadNext(use: string): boolean {
  const name = common[use]?.find((each) => !modules.has(each));
  if (name !== undefined) load(name);
  return name !== undefined;
}

/** Returns a part that is in no archive, in the form in which it is stored. */
function stored([start, end]: Place): string {
  return text.slice(indexEnd + start, indexEnd + end);
}

/** Returns the code of a part. */
function codeOf(place: Place): string {
  if (place[2] === undefined) return stored(place);
  return place[2] === 'json' ? JSON.parse(stored(place)) : bytesOf(place).toString('latin1');
}

/** Returns the bytes of a part, decompressed. */
function bytesOf(place: Place): Buffer {
  const [start, end, form = ''] = place;
  if (form === 'brotli') return unpacked(stored(place));
  const archive = archives.get(form) ?? bytesOf(places[form]!);
  archives.set(form, archive);
  return archive.subarray(start, end);
}

/** Returns the exports of a part, which is loaded when one of them is first read: importing a part has no other effect. */
function linked(name: string): object {
  const exports: object = Object.create(
    new Proxy(
      {},
      {
        get(_, member) {
          Object.setPrototypeOf(exports, load(name) as object);
          return Reflect.get(exports, member);
        },
      },
    ),
  );
  return exports;
}

/** Web interfaces that test environments lack; those of an environment that has them are used, because its tests may replace them. */
const webNames = ['fetch', 'FormData', 'Headers', 'ReadableStream', 'Request', 'Response'] as const;

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

/** Decompresses a part. One chunk with room for the result takes a quarter less time than many. */
const unpacked = (base64: string): Buffer =>
  (required('node:zlib') as typeof import('node:zlib')).brotliDecompressSync(Buffer.from(base64, 'base64'), {
    chunkSize: 4 * base64.length,
  });

if (asLibrary) module.exports = load('./library.js');
else load('./calendar.js');
