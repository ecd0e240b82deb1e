import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type * as WebLibrary from '../../bin/web.ts';
import { buildWebLibrary } from '../../build/library-web.ts';
import { withSharedTemp } from './temp.ts';

let building: Promise<string> | undefined;

/** Builds `local-calendar/web` once per process. Returns its folder. */
export function builtWebLibrary(): Promise<string> {
  building ??= withSharedTemp(() => build(mkdtempSync(join(tmpdir(), 'web-library-'))));
  return building;
}

async function build(folder: string): Promise<string> {
  await buildWebLibrary(folder);
  return folder;
}

/** Returns what opens a calendar of the web build in Node. */
export async function webLibrary(): Promise<(typeof WebLibrary)['createCalendar']> {
  const folder = await builtWebLibrary();
  const { createCalendar }: typeof WebLibrary = await import(/* @vite-ignore */ pathToFileURL(join(folder, 'single.mjs')).href);
  const wasm = readFileSync(join(folder, 'sqlite.wasm'));
  return (options) => createCalendar({ wasm, ...options });
}
