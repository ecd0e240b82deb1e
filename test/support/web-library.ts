import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type * as WebLibrary from '../../bin/web.ts';
import { buildWebLibrary } from '../../build/library-web.ts';

type Files = ReadonlyMap<string, Buffer>;

let building: Promise<Files> | undefined;

const temporaryFolder = () => mkdtempSync(join(tmpdir(), 'web-library-'));

/** Builds `local-calendar/web` once per process. Returns its files by name: a temp folder is deleted at the end of each file of tests. */
export function builtWebLibrary(): Promise<Files> {
  building ??= build(temporaryFolder());
  return building;
}

async function build(folder: string): Promise<Files> {
  await buildWebLibrary(folder);
  return new Map(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name))]));
}

/** Returns what opens a calendar of the web build in Node. */
export async function webLibrary(): Promise<(typeof WebLibrary)['createCalendar']> {
  const files = await builtWebLibrary();
  const single = join(temporaryFolder(), 'single.mjs');
  writeFileSync(single, files.get('single.mjs')!);
  const { createCalendar }: typeof WebLibrary = await import(/* @vite-ignore */ pathToFileURL(single).href);
  return (options) => createCalendar({ wasm: files.get('sqlite.wasm'), ...options });
}
