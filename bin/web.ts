/** The exports of `local-calendar/web`: a calendar in a page, a worker, Deno or Bun. */

import { type Source, sourceOf } from '../src/data/ingest/source.ts';
import { Failure } from '../src/model/error.ts';
import type { SyncMethods } from '../src/model/operation-types.ts';
import type { NodeOption } from '../src/model/server-option-types.ts';
import type { ControlledCalendar } from '../src/testing/calendar.ts';
import { atCallSite, callSiteOf } from '../src/testing/guarded.ts';
import type { CalendarData } from '../src/testing/operations.ts';
import type { CalendarOptions } from '../src/testing/options.ts';
import { createServed } from '../src/testing/serve.ts';
import { loadSqliteFrom, runOnWeb, type WasmSource } from './machine/web.ts';

runOnWeb();

export * from './everywhere.ts';
export type { WasmSource } from './machine/web.ts';

/** Options of {@link createCalendar}: those of the Node package that need no file, no socket and no other site. */
export interface WebOptions extends Omit<CalendarOptions, NodeOption> {
  /** SQLite: its address, a response with it, its bytes, or the compiled `WebAssembly.Module`. By default `sqlite.wasm` beside this script. The first calendar loads it for all. */
  wasm?: WasmSource;
}

/** A calendar in a page or a worker, which is not a server. */
export interface WebCalendar extends Omit<ControlledCalendar, 'data' | 'file' | 'fork'> {
  /** The data as a whole: `await calendar.data.export()`. */
  readonly data: Omit<CalendarData, keyof SyncMethods>;
  /**
   * Copies the calendar. A reset restores the copied state; snapshots are not copied.
   * @example const copy = await calendar.fork();
   */
  fork(): Promise<WebCalendar>;
}

/** Reads an address that the page may read. */
async function open(name: string): Promise<Source> {
  if (!/^https?:/i.test(name))
    throw new Failure('bad-request', `${name}: files are only available in Node`, 'Pass the fixture itself, or an address.');
  const response = await fetch(name).catch((error: Error) => {
    throw new Failure('unreachable', `Cannot read ${name}: ${error.message}`);
  });
  if (!response.ok) throw new Failure('unreachable', `${name} returned status ${response.status}`);
  return sourceOf(name, new Uint8Array(await response.arrayBuffer()));
}

/**
 * Opens a calendar in memory. Nothing listens: `calendar.handler` answers requests for any host, and `calendar.fetch` those for its own address. Throws a {@link Failure} for an
 * invalid option or seed, and if SQLite can't be loaded.
 * @example
 * const calendar = await createCalendar({ seed: 'demo', basePath: '/wp-json' });
 * await setupWorker(http.all('*\/wp-json/*', ({ request }) => calendar.handler(request))).start();
 */
export async function createCalendar({ wasm, ...options }: WebOptions = {}): Promise<WebCalendar> {
  if (wasm !== undefined) loadSqliteFrom(wasm);
  return atCallSite(callSiteOf(createCalendar), () => createServed(options, { open }));
}
