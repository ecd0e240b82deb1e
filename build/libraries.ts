import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Plugin } from 'esbuild';

const require = createRequire(import.meta.url);

/** The only match of a pattern in a library's file. Throws if there is not exactly one. */
export function passageIn(code: string, path: string, pattern: RegExp): string {
  const texts = [...code.matchAll(pattern)].map(([text]) => text);
  if (texts.length !== 1) throw new Error(`${path} has ${texts.length} passages like ${pattern}; the build knows what to do with one`);
  return texts[0]!;
}

/** Removes top-level await from ink and its layout engine: a part is loaded synchronously. */
export const withoutWaiting: Plugin = {
  name: 'without-waiting',
  setup({ onLoad }) {
    // ink loads the React developer tools with top-level await in development.
    onLoad({ filter: /ink[\\/]build[\\/]reconciler\.js$/ }, ({ path }) => {
      let code = readFileSync(path, 'utf8');
      for (const pattern of [/(?<=if \()isDev\(\)/g, /(?<== )isDev\(\)/g])
        if (passageIn(code, path, pattern)) code = code.replace(pattern, 'false');
      return { contents: code };
    });
    onLoad({ filter: /yoga-layout[\\/]dist[\\/]src[\\/]index\.js$/ }, () => ({
      contents: `
        import load, { bytes } from '../binaries/yoga-wasm-base64-esm.js';
        import wrapAssembly from './wrapAssembly.js';
        const assembly = {
          instantiateWasm(imports, done) {
            done(new WebAssembly.Instance(new WebAssembly.Module(bytes()), imports));
            return {};
          },
        };
        load(assembly);
        export default wrapAssembly(assembly);
        export * from './generated/YGEnums.js';`,
    }));
  },
};

/** Creates the segmenter of string-width on first use: it costs several milliseconds, and most text is ASCII. */
export const lazySegmenter: Plugin = {
  name: 'lazy-segmenter',
  setup({ onLoad }) {
    onLoad({ filter: /string-width[\\/]index\.js$/ }, ({ path }) => {
      const code = readFileSync(path, 'utf8');
      const creation = passageIn(code, path, /^const segmenter = new Intl\.Segmenter\(\);/gm);
      const lazy = 'let created; const segmenter = { segment: (text) => (created ??= new Intl.Segmenter()).segment(text) };';
      return { contents: code.replace(creation, lazy) };
    });
  },
};

/** sql.js with what {@link sqlJsFiles} and {@link sqlJsModule} change in both of its forms. */
function patchedSqlJs(path: string): string {
  const code = readFileSync(path, 'utf8');
  return code
    .replace(passageIn(code, path, /\b\w<1048576\?2:1\.125/g), '2')
    .replace(passageIn(code, path, /\bnew TextDecoder\b(?!\()/g), "new TextDecoder('utf-8', { ignoreBOM: true })");
}

/**
 * Keeps a byte order mark at the start of a text in SQLite, and lets the files of sql.js in memory grow to twice their size: by an eighth, each time with
 * a copy, a large import copies them dozens of times. Sources that run unbundled drop the mark and are slower.
 */
export const sqlJsFiles: Plugin = {
  name: 'sql-js-files',
  setup({ onLoad }) {
    onLoad({ filter: /sql\.js[\\/]dist[\\/]sql-wasm\.js$/ }, ({ path }) => ({ contents: patchedSqlJs(path) }));
  },
};

/** The same for browsers, as an ES module: what it assigns to the `module` of CommonJS makes webpack's minifier drop the rest. */
export const sqlJsModule: Plugin = {
  name: 'sql-js-module',
  setup({ onLoad }) {
    onLoad({ filter: /sql\.js[\\/]dist[\\/]sql-wasm-browser\.js$/ }, ({ path }) => {
      const code = patchedSqlJs(path);
      const assignment = passageIn(code, path, /^ *module = undefined;$/gm);
      const exporting = passageIn(code, path, /^if \(typeof exports === 'object' && typeof module === 'object'\)\{[\s\S]*$/gm);
      return { contents: code.replace(assignment, '').replace(exporting, 'export default initSqlJs;') };
    });
  },
};

/**
 * Removes the languages of zod but English, because its messages are replaced, and the compilation of schemas, which takes longer than most checks. Its
 * configuration is not that of the zod of the user, which is in a global.
 */
export const plainZod: Plugin = {
  name: 'plain-zod',
  setup({ onLoad }) {
    onLoad({ filter: /zod[\\/]v4[\\/]core[\\/]core\.js$/ }, ({ path }) => {
      const code = readFileSync(path, 'utf8');
      const config = passageIn(code, path, /(?<=^export const globalConfig = ).*;$/gm);
      return { contents: code.replace(config, '{ jitless: true };') };
    });
    onLoad({ filter: /zod[\\/]v4[\\/]locales[\\/]index\.js$/ }, () => ({ contents: `export { default as en } from './en.js';` }));
  },
};

/** Removes from commander what runs subcommands as separate programs, which loads `node:child_process` with every command. */
export const ownSubcommands: Plugin = {
  name: 'own-subcommands',
  setup({ onLoad }) {
    onLoad({ filter: /commander[\\/]lib[\\/]command\.js$/ }, ({ path }) => {
      const code = readFileSync(path, 'utf8');
      const loading = passageIn(code, path, /^const childProcess = require\('node:child_process'\);/gm);
      return { contents: code.replace(loading, 'const childProcess = undefined;') };
    });
  },
};

/**
 * Reduces undici to what sends text and bytes over HTTP/1.1: its fetch would replace the global one, and loading HTTP/2, forms and three clients takes longer
 * than the first request. The proxy agent is loaded when it is created. `packed` adds bytes as a part of
 * the bundle and returns the expression that loads them.
 */
export const sendingOnly = (packed: (name: string, bytes: Uint8Array) => string): Plugin => ({
  name: 'sending-only',
  setup({ onLoad }) {
    onLoad({ filter: /undici[\\/]index\.js$/ }, ({ path }) => {
      const code = readFileSync(path, 'utf8');
      const kept = [/const (?:Dispatcher|Agent|util|errors) = require\([^)]*\)/g, /const \{ InvalidArgumentError \} = errors/g].map(
        (pattern) => code.match(pattern),
      );
      const request = passageIn(code, path, /^function makeDispatcher[\s\S]*?^\}/gm).replace(' = getGlobalDispatcher()', '');
      return {
        contents: `${kept.flat().join('\n')}
          const api = { request: require('./lib/api/api-request'), connect: require('./lib/api/api-connect') };
          Object.assign(Dispatcher.prototype, api);
          ${request}
          module.exports = {
            Agent,
            get EnvHttpProxyAgent() { return require('./lib/dispatcher/env-http-proxy-agent'); },
            request: makeDispatcher(api.request),
          };`,
      };
    });
    // Its client and its helpers need node:http for a limit and for streams, which are never sent, and node:assert for one function.
    onLoad({ filter: /undici[\\/]lib[\\/]core[\\/]util\.js$|undici[\\/]lib[\\/]dispatcher[\\/]client\.js$/ }, ({ path }) => {
      const code = readFileSync(path, 'utf8');
      const loading = passageIn(code, path, /(?<== )require\('node:http'\)/g);
      return { contents: code.replace(loading, '{ maxHeaderSize: 16_384 }') };
    });
    // Of its tables, it reads two. The tree only saves the conversion of well-known header names.
    onLoad({ filter: /undici[\\/]lib[\\/]llhttp[\\/]constants\.js$/ }, ({ path }) => {
      const { ERROR, TYPE } = require(path);
      return { contents: `module.exports = ${JSON.stringify({ ERROR, TYPE })};` };
    });
    onLoad({ filter: /undici[\\/]lib[\\/]core[\\/]tree\.js$/ }, () => ({ contents: 'exports.tree = { lookup: () => undefined };' }));
    // HTTP/2 is off by default, and bodies are never forms.
    onLoad({ filter: /undici[\\/]lib[\\/](?:dispatcher[\\/]client-h2|web[\\/]fetch[\\/]body)\.js$/ }, () => ({ contents: '' }));
    // The parser that runs on every processor is fast enough.
    onLoad({ filter: /undici[\\/]lib[\\/]llhttp[\\/]llhttp(?:_simd)?-wasm\.js$/ }, ({ path }) => ({
      contents: `module.exports = ${packed('llhttp.wasm', require(path.replace('_simd', '')))};`,
    }));
  },
});
