import { availableParallelism } from 'node:os';
import { setFlagsFromString } from 'node:v8';
import type { SqlJsStatic } from 'sql.js';
import { startSqlJs } from './start.ts';
import { wasm } from './wasm.ts';

/** The used part of WebAssembly, which the types of node 20 lack. */
declare const WebAssembly: {
  compile(bytes: Uint8Array): Promise<object>;
  Module: new (bytes: Uint8Array) => object;
  Instance: new (module: object, imports: object) => object;
};

let compiling: Promise<object> | undefined;
let loading: Promise<SqlJsStatic> | undefined;
let isDelayed = false;

/** Size of the executed code after which node optimizes a WebAssembly function: the largest value, which a list of a thousand events does not reach. */
const tieringBudgetBytes = 2 ** 31 - 1;

/**
 * Delays the optimization of WebAssembly. Node optimizes hot functions in the background and cannot exit before that is done: 80 ms later for SQLite, 0.3 s for
 * the HTTP parser of undici. Changes a setting of node, so it is only for a program that owns its process and may exit soon.
 */
export function delayOptimization(): void {
  isDelayed = true;
  setBudget(tieringBudgetBytes);
}

const setBudget = (bytes: number) => setFlagsFromString(`--wasm-tiering-budget=${bytes}`);

/** The value of the flag in each V8 of a supported node (`node --v8-options`), in bytes. It can be set but not read. */
export const defaultBudgets: Record<string, number> = { '11.3': 1_800_000, '12.4': 13_000_000, '13.6': 13_000_000, '14.6': 13_000_000 };

/**
 * Compiles SQLite so that its functions are optimized late, which saves a short process a third of its processor time. The flag has its default again before
 * other code runs. Where that default is unknown, or the command line of node sets the flag, SQLite is compiled without it.
 */
function compiled(): object {
  const [major, minor] = process.versions.v8.split('.');
  const budget = defaultBudgets[`${major}.${minor}`];
  const isSet = [...process.execArgv, process.env.NODE_OPTIONS].some((option) => /wasm[-_]tiering[-_]budget/.test(option ?? ''));
  if (isDelayed || isSet || budget === undefined) return new WebAssembly.Module(wasm());
  const bytes = wasm();
  setBudget(tieringBudgetBytes);
  try {
    return new WebAssembly.Module(bytes);
  } finally {
    setBudget(budget);
  }
}

/**
 * Starts to compile SQLite in the background, unless that was done before. It needs a turn of the event loop about 2 ms later. Changes settings of node, so
 * it is only for a program that owns its process.
 */
export function compileSqlite(): void {
  if (compiling || loading) return;
  // Compiling each function on first use takes longer.
  setFlagsFromString('--no-wasm-lazy-compilation');
  // The program goes on loading.
  setFlagsFromString(`--wasm-num-compilation-tasks=${Math.max(1, availableParallelism() - 1)}`);
  // Node 26 exits while SQLite is compiled if nothing else keeps it running.
  const keepsRunning = setInterval(() => {}, 60_000);
  compiling = WebAssembly.compile(wasm()).finally(() => clearInterval(keepsRunning));
}

/** Loads SQLite once per process. */
export function loadSqlite(): Promise<SqlJsStatic> {
  loading ??= import('sql.js/dist/sql-wasm.js').then(({ default: start }) =>
    // Without a start in the background, compiling synchronously is faster.
    startSqlJs(start, async (imports) => new WebAssembly.Instance(await (compiling ?? compiled()), imports)),
  );
  return loading;
}
